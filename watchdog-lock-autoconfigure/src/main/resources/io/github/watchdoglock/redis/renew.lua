-- Makes leases last from now, never shorter than they already would.
-- KEYS   for each: lease, fence
-- ARGV   for each: attempt, first token of the lease, lease ms, retention of the fence ms,
--        next block wanted 0|1
-- Answer for each: renewed <others wait 0|1> [<first token of the next block>]
--        gone
--        error <text>; the others are renewed all the same
-- Opens with PEXPIRE: Redis without memory refuses SET only as a script's first write.
-- include tokens.lua
-- include lease.lua

local function renew(lease, fence, attempt, first, length, retention, next_wanted)
  local value = redis.call('GET', lease)
  if not value or string.sub(value, 1, 3) ~= '1 o'
    or string.find(value, ' ' .. attempt .. ' ' .. first .. ' ', 5, true) ~= 5 then
    return 'gone'
  end
  local answer = string.sub(value, 4, 4) == '+' and 'renewed 1' or 'renewed 0'
  extend(lease, tonumber(length))
  if next_wanted then
    return answer .. ' ' .. next_block(fence, retention, redis.call('TIME'))
  end
  -- Half of it is five leases: writing it each time would be for nothing.
  if redis.call('PTTL', fence) < retention / 2 then
    redis.call('PEXPIRE', fence, retention)
  end
  return answer
end

local answers = {}
for i = 1, #KEYS / 2 do
  local at = 5 * i - 4
  local ok, answer = pcall(renew, KEYS[2 * i - 1], KEYS[2 * i], ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3],
    ARGV[at + 4] == '1')
  if not ok then
    answer = 'error ' .. (type(answer) == 'table' and answer.err or tostring(answer))
  end
  answers[i] = answer
end
return answers
