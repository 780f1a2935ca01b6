-- What is known of a key that is held, by whatever version of this library; where it is not,
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
