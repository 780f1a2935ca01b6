-- Looks at the server, and at what the user may do there, on a key that no lock has.
-- KEYS   the key
-- ARGV   1 channel to publish to (''), 2 ms after which the key is gone whatever happens
-- Answer <version>, <maxmemory-policy>, then for each command that failed its name and the
--        error. What the server keeps to itself is empty.
-- Opens with PEXPIRE: Redis without memory refuses SET only as a script's first write.
local answers = { '', '' }

local function try(command, ...)
  local answer = redis.pcall(command, ...)
  if type(answer) == 'table' and answer.err then
    answers[#answers + 1] = command .. ' ' .. answer.err
    return false
  end
  return true
end

local function fact(section, name)
  local answer = redis.pcall('INFO', section)
  return type(answer) == 'string' and string.match(answer, name .. ':(%S+)') or ''
end

local key, ttl = KEYS[1], ARGV[2]
try('PEXPIRE', key, ttl)
local made = try('SET', key, '', 'PX', ttl)
try('GET', key)
try('GETRANGE', key, 0, 0)
try('PTTL', key)
try('TIME')
-- Without it they would make a key without a TTL.
if made then
  try('APPEND', key, ' ')
  try('SETRANGE', key, 0, ' ')
  redis.pcall('SET', key, '', 'PX', 1)
end
if ARGV[1] ~= '' then
  try('PUBLISH', ARGV[1], '')
end
answers[1] = fact('server', 'redis_version')
answers[2] = fact('memory', 'maxmemory_policy')
return answers
