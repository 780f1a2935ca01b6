-- The part of find.lua for a record in the shared format.
local millis, queue = now_millis(), string.find(value, '\n', 54, true)
local here, lines = {}, {}
for _, holder in ipairs(others_here(read_holders(key, value, queue, left, millis), nil, millis)) do
  if holder.state ~= 'r' then
    here[#here + 1] = holder
  end
end
if #here == 0 then
  return 'free'
end
if ARGV[1] then
  tell_holders(here, messages(key, ARGV[1]), ARGV[2] and 'force' or 'asked', ARGV[2])
end
table.sort(here, function(one, other)
  return one.stop < other.stop or (one.stop == other.stop and one.token < other.token)
end)
local alive = #alive_places(read_places(value, queue), millis)
for i = 1, #here do
  lines[i] = string.format('held %s %.0f %d', here[i].token, here[i].stop - millis, alive)
    .. string.match(here[i].attempt, '^[^/]*(.*)') .. ' ' .. here[i].label
end
return table.concat(lines, '\n')
