-- Ends whatever an attempt has: the lease, a reservation, or a place.
-- KEYS   lease, queue, fence
-- ARGV   1 attempt, 2 last token used (0: none, -1: unknown), 3 retention of the fence ms,
--        4 mode of messages 0|1|2; these three only where one of them is asked for:
--        5 ms for which nobody is handed the key, 6 attempt that takes a place where a
--        lease ends (''), 7 its poll ms
-- Answer lease|reservation|place|nothing, then for whom the key is reserved now:
--        nobody|requeued (the attempt of ARGV[6])|other
-- Opens with LPOP or PEXPIRE: Redis without memory refuses SET only as a script's first
-- write.
local attempt, last = ARGV[1], tonumber(ARGV[2])
local value = redis.call('GET', KEYS[1])
local first, place
if value and string.sub(value, 1, 3) == '1 o' and string.find(value, ' ' .. attempt .. ' ', 5, true) == 5 then
  first = string.match(value, '^(%d+) %d+ ', 7 + #attempt)
end

-- The way of most calls comes first: Redis makes each function below anew in every run.
if first and not ARGV[5] then
  place = redis.call('LPOP', KEYS[2])
  if not place and last >= tonumber(first) then
    redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])
    redis.call('DEL', KEYS[1])
    return 'lease nobody'
  end
end

-- include tokens.lua
-- include lease.lua
-- include queue.lua

local to = messages(KEYS[1], ARGV[4])
local current = read_lease(value)

if first then
  extend(KEYS[3], tonumber(ARGV[3]))
  if last >= 0 then
    redis.call('SET', KEYS[3], digits(math.max(last, first - 1)), 'PX', ARGV[3])
  end
  local keep, requeued = tonumber(ARGV[5] or 0), ARGV[6]
  if requeued and requeued ~= '' and not find_place(KEYS[2], requeued) then
    enter(KEYS[2], requeued, tonumber(ARGV[7]))
  end
  if keep > 0 then
    redis.call('SET', KEYS[1], lease_value('k', '-', attempt, first, current.since, current.label), 'PX', ARGV[5])
    return 'lease nobody'
  end
  return 'lease ' .. pass_on(KEYS[1], KEYS[2], to, requeued, place)
end

if current and current.state == 'r' and current.attempt == attempt then
  return 'reservation ' .. pass_on(KEYS[1], KEYS[2], to)
end

return leave(KEYS[2], attempt) and 'place nobody' or 'nothing nobody'
