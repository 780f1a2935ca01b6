-- Reads the fields of a held record that all versions of this library share. If the key is not held,
-- the script ends here.
local key, value = KEYS[1], redis.call('GET', KEYS[1])
if not value then
  return 'free'
end
local version, state, retention, last = string.match(value, '^(%d) (%l)[+-] (%d+) (%d+) ')
if not version then
  error('no lock, delete it or choose another prefix for keys')
end
local ttl = redis.call('PTTL', key)
if ttl >= 0 and (state == 'r' or ttl <= tonumber(retention)) then
  return 'free'
end
