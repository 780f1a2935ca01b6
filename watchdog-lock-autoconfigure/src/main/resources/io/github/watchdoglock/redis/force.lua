-- Takes a key from all its holders or from one of them, and reserves it for the next attempts.
-- Last is not reduced, because the former holder may still use its block.
-- KEYS   record
-- ARGV   1 mode of messages 0|1|2, 2 first token of the holder that loses the key, in 16 digits;
--        if it is not set, all holders lose the key
-- Answer forced [attempts that held the key, separated by blanks]; no attempts for a minimum hold
--        and for a record of another version
--        free (no attempt holds the key, or no attempt with that token)
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
-- Before any message: if Redis rejects writes, no instance receives a message.
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
  -- State k, as after a minimum hold, so that the former holder's release finds nothing.
  set_free(key, value, 'k', last)
end
return 'forced' .. owner
