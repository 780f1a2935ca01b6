-- Takes a key from whoever has it and passes it on. The fence stays: its tokens may be in
-- use.
-- KEYS   lease, queue
-- ARGV   1 mode of messages 0|1|2
-- Answer forced [attempt that had it]|free
-- include lease.lua
-- include queue.lua
local to = messages(KEYS[1], ARGV[1])
local current = read_lease(redis.call('GET', KEYS[1]))
if not current or current.state == 'r' then
  return 'free'
end
local owner = ''
if current.state == 'o' then
  tell(to, 'forced', current.attempt)
  owner = ' ' .. current.attempt
end
pass_on(KEYS[1], KEYS[2], to)
return 'forced' .. owner
