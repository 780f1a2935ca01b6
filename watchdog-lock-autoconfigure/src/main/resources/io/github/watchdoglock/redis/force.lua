-- Takes a key from whoever has it and passes it on. The fence stays: its tokens may be in
-- use.
-- KEYS   lease, queue
-- ARGV   1 prefix of channels, 2 key in messages, 3 cluster 0|1
-- Answer forced|free
local to = messages(ARGV[1], ARGV[2], ARGV[3])
local current = read_lease(KEYS[1])
if not current or current.state == 'r' then
  return { 'free' }
end
if current.state == 'o' then
  tell(to, 'forced', current.attempt)
end
pass_on(KEYS[1], KEYS[2], to, '')
return { 'forced' }
