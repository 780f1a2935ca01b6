-- Looks at a key; a script, because plain reads may go to a replica.
-- KEYS   lease, queue
-- ARGV   none
-- Answer free
--        held <first token> <ms left, -1 without end> <places in the queue> <label>
-- include lease.lua
local current = read_lease(redis.call('GET', KEYS[1]))
if not current or current.state == 'r' then
  return 'free'
end
return string.format('held %s %.0f %d ', current.first, redis.call('PTTL', KEYS[1]), redis.call('LLEN', KEYS[2]))
  .. current.label
