-- The part of release.lua for shared kinds: this attempt or a waiting attempt is a reader or a permit,
-- or the record has the shared format.
local ttl, millis, to = call('PTTL', key), now_millis(), messages(key, ARGV[3])
local holders = read_holders(key, value, queue, ttl < 0 and ttl or math.max(0, ttl - retention), millis)
local places = read_places(value, queue)
local mine, at = holder_of(holders, attempt), place_in(places, attempt)
if mine and mine.state == 'k' then
  mine = nil
end
if not mine and not at then
  return 'nothing nobody'
end

local here, ended, requeued = others_here(holders, mine, millis), 'place ', nil
if mine then
  local lives = mine.state ~= 'r' and mine.stop > millis
  ended = mine.state == 'r' and 'reservation ' or 'lease '
  -- A holder that was not alone returns only a token that was not used and is last: no token was
  -- granted since.
  if not mine.alone and mine.state ~= 'r' and ARGV[2] ~= '-' and ARGV[2] < mine.token and mine.token == last then
    last = digits(last - 1)
  end
  write_first(key, ttl, retention)
  if lives and tonumber(ARGV[5] or 0) > 0 then
    mine.state, mine.stop, mine.text = 'k', millis + ARGV[5], nil
    table.insert(here, 1, mine)
    write_holders(key, here, places, last, retention, millis)
    return 'lease nobody'
  end
  if lives and ARGV[6] and ARGV[6] ~= '' then
    requeued = ARGV[6]
    if not holder_of(here, requeued) then
      places[place_in(places, requeued) or #places + 1] = new_place(requeued, tonumber(ARGV[7]), millis)
    end
  end
else
  if ttl >= 0 then
    write_first(key, ttl, retention)
  end
  table.remove(places, at)
end

-- If only a place of a free key was removed, the key stays free: waiting attempts notice that with
-- their next poll.
local admitted = (mine or #here > 0) and admit(here, places, millis, to, requeued) or 0
if mine and #here == 0 then
  leave_free(key, value, mine.state == 'r' and 'k' or renewed and 'f' or mine.state, mine, last, retention)
elseif mine or admitted > 0 then
  write_holders(key, here, places, last, retention, millis)
else
  call('SET', key, sub(value, 1, queue - 1) .. text_of(places), 'KEEPTTL')
end
return ended .. (requeued and holder_of(here, requeued) and 'requeued' or admitted > 0 and 'other' or 'nobody')
