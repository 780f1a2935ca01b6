-- Takes a key from whoever has it and passes it on. The greatest token stays: the block may
-- be in use.
-- KEYS   record
-- ARGV   1 mode of messages 0|1|2, 2 first token of the one that it is taken from, in 16
--        digits; without, it is taken from all
-- Answer forced [attempts that had it, with blanks between]
--        free (nobody has it, or nobody with that token)
-- include held.lua
if version ~= '2' then
  if ARGV[2] then
    return 'free'
  end
  redis.call('PEXPIRE', key, string.format('%.0f', retention / 2))
  return 'forced'
end
-- include queue.lua
local queue = string.find(value, '\n', 54, true)
if string.byte(value, 54) == 47 or (queue and string.find(value, '/', queue, true)) then
  -- include holders.lua
  -- include force-shared.lua
end
if ARGV[2] and string.sub(value, 37, 52) ~= ARGV[2] then
  return 'free'
end
-- Before any message: if Redis refuses writes, no instance receives a message.
write_first(key, ttl, retention)
local to, owner = messages(key, ARGV[1]), ''
if state ~= 'k' then
  local attempt = string.match(value, '^%S+', 54)
  tell(to, 'forced', attempt)
  owner = ' ' .. attempt
end
local next, others = next_place(read_places(value, queue), now_millis(), to)
if next then
  reserve(key, value, last, next, others)
else
  -- As kept for nobody, so that the release of who had it finds nothing.
  set_free(key, value, 'k', last)
end
return 'forced' .. owner
