-- Reads facts about the server, and checks the user's permissions with a key that no lock uses.
-- KEYS   the key
-- ARGV   1 channel to publish to ('': none), 2 TTL of the key, ms, after which it is removed in
--        any case
-- Answer <version>, <maxmemory-policy>, then a string for each command that failed: its name, a
--        blank and the error. A fact that the server does not report is empty.
-- Begins with PEXPIRE: if Redis is out of memory, it rejects SET only as a script's first write.
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
-- If the key did not exist, these commands would create it without a TTL.
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
