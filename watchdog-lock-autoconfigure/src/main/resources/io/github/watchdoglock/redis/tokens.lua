-- Fence, STRING: the highest token that may have been given. Has a TTL at all times.

-- How many tokens are set aside at a time.
local BLOCK = 1024

-- A whole number as decimal digits: %d alone ends at 2^31 where Redis has 32 bits, and
-- tostring() turns to exponents at 1e14.
local function digits(number)
  return string.format('%d%06d', number / 1000000, number % 1000000)
end

-- Sets a block of tokens aside and answers the first of them; time is what TIME says.
local function next_block(fence, retention, time)
  local highest = redis.call('GET', fence) or '0'
  -- Beyond the limit numbers are no longer exact; the clock gets there in 2255.
  if string.find(highest, '%D') or tonumber(highest) > 9007199254740992 - 2 * BLOCK then
    error(fence .. ' is no number: delete it')
  end
  local first = math.max(highest + 1, time[1] * 1000000 + time[2])
  redis.call('SET', fence, digits(first + BLOCK - 1), 'PX', retention)
  return digits(first)
end
