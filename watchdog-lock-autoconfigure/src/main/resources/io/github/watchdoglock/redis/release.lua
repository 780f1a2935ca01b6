-- Ends the lease, the reservation or the place of an attempt.
-- KEYS   record
-- ARGV   1 attempt, 2 last used token in 16 digits (none: 0, - if unknown), 3 mode of messages
--        0|1|2, 4 state of a released lease: f if a renewal may arrive late, - if no renewal was
--        sent, so that the state stays; the next three only for a minimum hold or a requeue:
--        5 rest of the minimum hold, ms (0: none), 6 attempt that gets a place if a lease ends
--        ('': none), 7 its poll, ms
-- Answer lease|reservation|place|nothing, as ended by the script, then the attempt for which the
--        key is reserved now: nobody (no attempt)|requeued (the attempt of ARGV[6])|other
local key, attempt, call = KEYS[1], ARGV[1], redis.call
local value = call('GET', key)
if not value then
  return 'nothing nobody'
end
local find, sub, renewed = string.find, string.sub, ARGV[4] == 'f'
local version, _, state = string.byte(value, 1, 3)
local leased, queue = state == 111 or state == 108, find(value, '\n', 54, true)
local own = version == 50 and find(value, attempt, 54, true) == 54 and string.byte(value, 54 + #attempt) == 32

-- Most releases return here, before the functions below: Redis creates each of them again in every run.
if own and leased and not queue and not ARGV[5] and find(value, ARGV[2], 20, true) == 20 then
  call('PEXPIRE', key, string.format('%d', sub(value, 6, 18) / 2))
  if renewed then
    call('SETRANGE', key, 2, 'f')
  end
  return 'lease nobody'
end
if own and state == 102 then
  return 'lease nobody'
end

local retention, last = sub(value, 6, 18), sub(value, 20, 35)
state = own and string.char(state)
leased = own and leased

-- The unused tokens of the block are returned. Last never falls below the tokens that were granted
-- before the block.
if leased and ARGV[2] ~= '-' and ARGV[2] < last then
  local first = sub(value, 37, 52)
  last = ARGV[2] >= first and ARGV[2]
    or string.format('%010d%06d', (first - 1) / 1000000, (first - 1) % 1000000)
end

if leased and not queue and not ARGV[5] then
  call('PEXPIRE', key, string.format('%d', retention / 2))
  if find(value, last, 20, true) ~= 20 then
    call('SETRANGE', key, 19, last)
  end
  if renewed then
    call('SETRANGE', key, 2, 'f')
  end
  return 'lease nobody'
end

-- include queue.lua

-- A slash marks a shared kind, of this attempt or of a waiting attempt, or a record in the shared
-- format.
if version == 50 and (find(attempt, '/', 1, true) or string.byte(value, 54) == 47
    or (queue and find(value, '/', queue, true))) then
  -- include holders.lua
  -- include release-shared.lua
end

if not leased and state ~= 'r' then
  local at = version == 50 and position(value, queue, attempt)
  if not at then
    return 'nothing nobody'
  end
  local ttl = call('PTTL', key)
  if ttl >= 0 then
    write_first(key, ttl, retention)
  end
  local stop = at + PLACE_HEAD + #attempt
  call('SET', key, sub(value, 1, at - 1) .. sub(value, stop + 1), 'KEEPTTL')
  return 'place nobody'
end

local ttl, millis, requeued = call('PTTL', key), now_millis(), nil
local over = ttl >= 0 and ttl <= tonumber(retention)

if leased and not over and tonumber(ARGV[5] or 0) > 0 then
  call('PEXPIRE', key, string.format('%.0f', ARGV[5] + retention))
  call('SETRANGE', key, 19, last)
  call('SETRANGE', key, 2, 'k')
  return 'lease nobody'
end

write_first(key, ttl, retention)
local places = read_places(value, queue)
if leased and not over and ARGV[6] and ARGV[6] ~= '' then
  requeued = ARGV[6]
  places[place_in(places, requeued) or #places + 1] = new_place(requeued, tonumber(ARGV[7]), millis)
end
local next, others = next_place(places, millis, messages(key, ARGV[3]), requeued)
local ended = leased and 'lease ' or 'reservation '
if not next then
  set_free(key, value, not leased and 'k' or renewed and 'f' or state, last)
  return ended .. 'nobody'
end
reserve(key, value, last, next, others)
return ended .. (next.attempt == requeued and 'requeued' or 'other')
