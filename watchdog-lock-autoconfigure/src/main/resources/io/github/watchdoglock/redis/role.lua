-- Reads the role of the server for a user without permission for ROLE, which no script can run.
-- KEYS   a key that no lock uses
-- Answer the role; '' if the server does not report it but accepts writes. If the server rejects
--        writes, its error.
local info = redis.pcall('INFO', 'replication')
local role = type(info) == 'string' and string.match(info, 'role:(%a+)')
if role then
  return role
end
redis.call('PEXPIRE', KEYS[1], 1)
return ''
