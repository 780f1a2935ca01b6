-- The part of acquire.lua for shared kinds: this attempt, a holder or a waiting attempt is a reader or
-- a permit.
local now = call('TIME')
local millis, to, poll = now[1] * 1000 + math.floor(now[2] / 1000), messages(key, ARGV[8]), tonumber(ARGV[5])
local lease = ARGV[2] - ARGV[3]
local holders = read_holders(key, value, queue, left, millis)
local mine = holder_of(holders, attempt)
local lives = mine and mine.stop > millis
if mine and (mine.state == 'k' or (not lives and mine.state ~= 'r')) then
  return 'ended'
end
local here, places = others_here(holders, mine, millis), read_places(value, queue)
if lives and mine.state ~= 'r' then
  mine.stop, mine.text = math.max(mine.stop, millis + lease), nil
  write_holders(key, others_here(holders, nil, millis), places, last, retention, millis)
  return 'granted ' .. mine.token .. ' ' .. mine.token .. ' ' .. (#places > 0 and '+' or '-')
end

local at, gone = place_in(places, attempt), #here + (mine and 1 or 0) < #holders
if not lives and not at then
  check_kind(key, attempt, here, alive_places(places, millis))
end
local place = new_place(attempt, poll, millis)
if lives then
  table.insert(places, 1, place)
elseif not at then
  places[#places + 1] = place
elseif poll > 0 then
  places[at] = place
end
local admitted, taken = admit(here, places, millis, to, attempt)
local granted = holder_of(here, attempt)

if granted then
  local kind, first = kind_of(attempt), math.max(last + 1, now[1] * 1000000 + now[2])
  local greatest = first + ARGV[4] - 1
  -- Numbers beyond this limit are no longer exact. The clock reaches it in 2255.
  if greatest >= 9007199254740992 then
    error('no tokens left, delete it')
  end
  granted.state, granted.stop, granted.label = kind == 'w' and ARGV[7] or 'o', millis + lease, ARGV[9]
  granted.token = digits(first)
  if #here == 1 then
    retention, granted.alone = tonumber(ARGV[3]), true
  end
  write_holders(key, here, places, digits(greatest), math.max(retention, ARGV[3]), millis)
  return 'granted ' .. granted.token .. ' ' .. digits(greatest) .. ' ' .. (#places > 0 and '+' or '-')
    .. other_kind(attempt, here, places)
end

local idle = here[1].state == 'l' and ARGV[6] == 'idle'
local alive = alive_places(places, millis)
if not at and (poll == 0 or (ARGV[6] == 'idle' and not (idle and #alive == 1))) then
  -- This attempt gets no place. Dead places stay, until a new waiting attempt removes them.
  table.remove(places, place_in(places, attempt))
  place = nil
elseif not at and admitted == 0 and #alive < #places then
  places, taken = alive, true
end
local leased = false
for i = 1, #here do
  leased = leased or here[i].state == 'o' or here[i].state == 'l'
end
if gone or taken or mine then
  write_holders(key, here, places, last, retention, millis)
elseif at and poll > 0 then
  call('SETRANGE', key, position(value, queue, attempt) - 1, sub(place.text, 1, PLACE_HEAD))
elseif not at and place then
  call('APPEND', key, place.text)
end
if place and poll > 0 and leased and (waiters == '-' or idle) then
  call('SETRANGE', key, 3, '+')
  tell_holders(here, to, 'contended', attempt)
end
-- A permit becomes free when the first holder ends, the key when the last holder ends.
local first, stop = nil, longest(here)
for i = 1, #here do
  if here[i].state ~= 'r' and (not first or here[i].stop < first.stop) then
    first = here[i]
  end
  if kind_of(attempt) == 'p' then
    stop = math.min(stop, here[i].stop)
  end
end
return string.format('busy %.0f ', stop == math.huge and -1 or stop - millis) .. (place and '+' or '-')
  .. other_kind(attempt, here, places) .. ' ' .. (first and first.label or RESERVED_LABEL)
