-- Takes a key, or a place in its queue.
-- KEYS   lease, queue, fence
-- ARGV   1 attempt, 2 lease ms, 3 retention of the fence ms, 4 poll ms (0: no place),
--        5 mode of messages 0|1|2, 6 label
-- Answer granted <first token> <others wait 0|1>
--        busy <ms left, -1 without end> <label of who has it>
-- include tokens.lua

local function grant(waiters)
  local time = redis.call('TIME')
  local first = next_block(KEYS[3], ARGV[3], time)
  local value = '1 o' .. waiters .. ' ' .. ARGV[1] .. ' ' .. first .. ' ' .. time[1] .. ' ' .. ARGV[6]
  redis.call('SET', KEYS[1], value, 'PX', ARGV[2])
  return 'granted ' .. first .. (waiters == '+' and ' 1' or ' 0')
end

-- The way of most calls comes first: Redis makes each function below anew in every run.
local value = redis.call('GET', KEYS[1])
if not value and redis.call('LLEN', KEYS[2]) == 0 then
  return grant('-')
end

-- include lease.lua
-- include queue.lua

local attempt, length, poll = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[4])
local current = read_lease(value)

if not current or (current.state == 'r' and current.attempt == attempt) then
  leave(KEYS[2], attempt)
  return grant(redis.call('EXISTS', KEYS[2]) == 1 and '+' or '-')
end

if current.state == 'o' and current.attempt == attempt then
  extend(KEYS[1], length)
  return 'granted ' .. current.first .. (current.contended and ' 1' or ' 0')
end

if poll > 0 then
  local new = enter(KEYS[2], attempt, poll)
  if new and current.state == 'o' and not current.contended then
    tell(messages(KEYS[1], ARGV[5]), 'contended', current.attempt)
    local contended = lease_value('o', '+', current.attempt, current.first, current.since, current.label)
    redis.call('SET', KEYS[1], contended, 'KEEPTTL')
  end
end
return string.format('busy %.0f ', redis.call('PTTL', KEYS[1])) .. current.label
