-- Lists the holders of a key, and on request asks them to release it (message asked), or to take it by
-- force from the hold with a token (message force). It is a script, because a plain read may be sent
-- to a replica.
-- KEYS   record
-- ARGV   1 mode of messages 0|1|2; if it is not set, the holders are not asked, 2 token; if it is set,
--        the message is force
-- Answer free
--        held <first token> <ms left, -1 without end> <live places><kind> <label of the holder>,
--        a line for each holder, beginning with the holder that ends first. The kind is /r or /p5
--        as in attempts, or nothing. In a record of another version, the first token is 0 and
--        the label is (unknown).
-- include held.lua
local left = ttl < 0 and ttl or ttl - retention
if version ~= '2' then
  return string.format('held 0 %.0f 0 (unknown)', left)
end
-- include queue.lua
if string.byte(value, 54) == 47 then
  -- include holders.lua
  -- include find-shared.lua
end
if ARGV[1] and state ~= 'k' then
  tell(messages(key, ARGV[1]), ARGV[2] and 'force' or 'asked', string.match(value, '^%S+', 54), ARGV[2])
end
local alive = alive_places(read_places(value, string.find(value, '\n', 54, true)), now_millis())
local first, kind, label = string.match(value, '^(%d+) [^ /]*(%S*) ([^\n]*)', 37)
return string.format('held %s %.0f %d', first, left, #alive) .. kind .. ' ' .. label
