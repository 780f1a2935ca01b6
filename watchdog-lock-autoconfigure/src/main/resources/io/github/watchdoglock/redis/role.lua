-- Looks at the server for a user who may not run ROLE, which no script can.
-- KEYS   a key that no lock has
-- Answer its role; '' where the server keeps that to itself, but takes writes. Where it
--        doesn't, its error.
local info = redis.pcall('INFO', 'replication')
local role = type(info) == 'string' and string.match(info, 'role:(%a+)')
if role then
  return role
end
redis.call('PEXPIRE', KEYS[1], 1)
return ''
