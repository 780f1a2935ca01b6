-- The part of force.lua for a record in the shared format, and for a queue with readers or permits.
local millis, to = now_millis(), messages(key, ARGV[1])
retention = tonumber(retention)
local all = others_here(read_holders(key, value, queue, ttl < 0 and ttl or ttl - retention, millis), nil, millis)
local here, forced, text = {}, {}, 'forced'
for i = 1, #all do
  -- A reservation is not held, and is not forced, unless it has no end: it then cannot expire.
  if (all[i].state == 'r' and all[i].stop < math.huge) or (ARGV[2] and all[i].token ~= ARGV[2]) then
    here[#here + 1] = all[i]
  else
    forced[#forced + 1] = all[i]
    text = all[i].state == 'k' and text or text .. ' ' .. all[i].attempt
  end
end
if #forced == 0 then
  return 'free'
end
-- Before any message, as in force.lua.
write_first(key, ttl, retention)
tell_holders(forced, to, 'forced')
local places = read_places(value, queue)
admit(here, places, millis, to)
if #here > 0 then
  write_holders(key, here, places, last, retention, millis)
else
  leave_free(key, value, 'k', forced[#forced], last, retention)
end
return text
