-- Looks at a key; a script, because plain reads may go to a replica.
-- KEYS   lease, queue
-- ARGV   none
-- Answer free
--        held, <first token>, <ms left, -1 without end>, <places in the queue>, <label>
local current = read_lease(KEYS[1])
if not current or current.state == 'r' then
  return { 'free' }
end
return { 'held', current.first, text(redis.call('PTTL', KEYS[1])), text(redis.call('LLEN', KEYS[2])), current.label }
