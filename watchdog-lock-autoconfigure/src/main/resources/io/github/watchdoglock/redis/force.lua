-- Takes a key from whoever has it and passes it on. The greatest token stays: the block may
-- be in use.
-- KEYS   record
-- ARGV   1 mode of messages 0|1|2
-- Answer forced [attempt that had it]
--        free
-- include held.lua
if version ~= '2' then
  redis.call('PEXPIRE', key, string.format('%.0f', retention / 2))
  return 'forced'
end
-- include queue.lua
local to, owner = messages(key, ARGV[1]), ''
if state ~= 'k' then
  local attempt = string.match(value, '^%S+', 54)
  tell(to, 'forced', attempt)
  owner = ' ' .. attempt
end
write_first(key, ttl, retention)
local next, others = next_place(read_places(value, string.find(value, '\n', 54, true)), now_millis(), to)
if next then
  reserve(key, value, last, next, others)
else
  -- As kept for nobody, so that the release of who had it finds nothing.
  set_free(key, value, 'k', last)
end
return 'forced' .. owner
