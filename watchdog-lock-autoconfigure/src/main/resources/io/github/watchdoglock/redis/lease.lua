-- Lease, STRING: 1 <state><waiters> <attempt> <first token> <since, s> <holder's label>
--   1        version of this format; a lease of another one is somebody else's
--   state    o owned, r reserved for this attempt, k kept: released, but nobody's turn yet
--   waiters  + if others wait or did, else -
-- Has a TTL at all times. Times are the server's.

local UNKNOWN_LABEL = '(unknown)'

local function read_lease(value)
  if not value then
    return nil
  end
  local state, waiters, attempt, first, since, label =
    string.match(value, '^1 ([ork])([+-]) (%S+) (%d+) (%d+) (.*)$')
  if not state then
    return { state = '?', first = '0', label = UNKNOWN_LABEL }
  end
  return { state = state, contended = waiters == '+', attempt = attempt, first = first, since = since, label = label }
end

local function lease_value(state, waiters, attempt, first, since, label)
  return '1 ' .. state .. waiters .. ' ' .. attempt .. ' ' .. first .. ' ' .. since .. ' ' .. label
end

-- A TTL of at least this, never a shorter one than there is; no effect on an absent key.
local function extend(key, ttl)
  redis.call('PEXPIRE', key, string.format('%.0f', math.max(ttl, redis.call('PTTL', key))))
end
