#!/usr/bin/env bash
# Runs two instances of the sample and a Prometheus that scrapes them, makes them contend for locks and lose one, and
# checks that every query of the dashboard returns data, other than zero where it can be, and every alert can be computed.
#
#   docs/observability/try.sh [--sentinel] [--keep]
#
# Needs a JDK 17, Maven, curl, jq, prometheus and promtool (Debian: apt-get install prometheus curl jq). JAR=… takes a
# packaged sample instead of building one; PORT=… is the first of ten ports, 18080 unless told otherwise. With --keep all
# goes on running until Ctrl-C, to be looked at, or to be shown by a Grafana that imports grafana-dashboard.json.
#
# With --sentinel it is what compose/compose.yml runs, without Docker and Grafana: three instances, a Redis with two replicas
# and three sentinels (Debian: redis-server, redis-sentinel).
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
port=${PORT:-18080}
first=http://127.0.0.1:$port
second=http://127.0.0.1:$((port + 1))
prometheus=http://127.0.0.1:$((port + 2))
redis_port=$((port + 3))
work=$(mktemp -d)
pids=()
keep=
sentinel=
where=("--spring.data.redis.port=$redis_port")
tools=(java curl jq prometheus promtool)
shops=("$port" "$((port + 1))")

for option; do
  case $option in
    --keep) keep=yes ;;
    --sentinel)
      sentinel=yes
      where=(--spring.data.redis.sentinel.master=shop
        "--spring.data.redis.sentinel.nodes=127.0.0.1:$((port + 7)),127.0.0.1:$((port + 8)),127.0.0.1:$((port + 9))")
      tools+=(redis-server redis-sentinel)
      shops+=("$((port + 4))")
      ;;
    *)
      echo "usage: $0 [--sentinel] [--keep]" >&2
      exit 2
      ;;
  esac
done

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# The first instance last, since it takes Redis along; what is a loop first, so that nobody asks who has gone.
finish() {
  trap - EXIT
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    kill "${pids[i]}" 2> /dev/null && wait "${pids[i]}" 2> /dev/null || true
  done
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

await() {
  for ((i = 0; i < 240; i++)); do
    curl -fs -o /dev/null "$1" && return
    kill -0 $! 2> /dev/null || break
    sleep 0.5
  done
  tail -n 20 "$2" >&2
  fail "$1 does not answer"
}

shop() {
  java -jar "$jar" --server.port="$1" "${where[@]}" --flash-sale.data="$work/data" \
    --watchdog-lock.long-hold-warning=3s > "$work/shop-$1.log" 2>&1 &
  pids+=($!)
  await "http://127.0.0.1:$1/actuator/health" "$work/shop-$1.log"
}

redis() {
  local redis_port=$1
  shift
  redis-server --bind 127.0.0.1 --port "$redis_port" --dir "$work" --save "" --min-replicas-to-write 1 --min-replicas-max-lag 10 "$@" \
    > "$work/redis-$redis_port.log" 2>&1 &
  pids+=($!)
}

watch_redis() {
  printf '%s\n' "port $1" 'bind 127.0.0.1' "sentinel monitor shop 127.0.0.1 $redis_port 2" \
    'sentinel down-after-milliseconds shop 3000' 'sentinel failover-timeout shop 10000' > "$work/sentinel-$1.conf"
  redis-sentinel "$work/sentinel-$1.conf" > "$work/sentinel-$1.log" 2>&1 &
  pids+=($!)
}

buyers() {
  while :; do
    seq 100 | xargs -P 10 -I{} curl -s -o /dev/null -X POST "$1/buy/phone" || true
  done
}

reports() {
  while :; do
    curl -s -o /dev/null -X POST "$1/report?seconds=8" || true
  done
}

exports() {
  while :; do
    curl -s -o /dev/null -X POST "$1/export?seconds=1" || true
  done
}

query() {
  curl -sG "$prometheus/api/v1/query" --data-urlencode "query=$1"
}

# The greatest number of an answer; nothing where there is none above zero.
greatest='[.data.result[]?.value[1] | select(. != "NaN") | tonumber | select(. > 0)] | max // empty'

# The same, of what is zero while all is well.
any='[.data.result[]?.value[1] | tonumber] | max // empty'

for tool in "${tools[@]}"; do
  command -v "$tool" > /dev/null || fail "$tool is not on the path (Debian: apt-get install prometheus curl jq)"
done
promtool test rules "$here/alerts-test.yml"

jar=${JAR:-}
if [ -z "$jar" ]; then
  echo "Building the sample …"
  mvn -q -f "$root/pom.xml" -pl samples/flash-sale -am package -DskipTests
  jar=$(ls "$root"/samples/flash-sale/target/flash-sale-*.jar | head -n 1)
fi

if [ -n "$sentinel" ]; then
  echo "Starting a Redis with two replicas and three sentinels …"
  redis "$redis_port"
  redis "$((port + 5))" --replicaof 127.0.0.1 "$redis_port"
  redis "$((port + 6))" --replicaof 127.0.0.1 "$redis_port"
  for i in 7 8 9; do
    watch_redis "$((port + i))"
  done
fi
echo "Starting ${#shops[@]} instances and Prometheus …"
for i in "${shops[@]}"; do
  shop "$i"
done
cat > "$work/prometheus.yml" << END
global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files:
  - $here/alerts.yml
scrape_configs:
  - job_name: flash-sale
    metrics_path: /actuator/prometheus
    static_configs:
      - targets: [$(printf '"127.0.0.1:%s",' "${shops[@]}")]
END
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" \
  --web.listen-address="127.0.0.1:$((port + 2))" > "$work/prometheus.log" 2>&1 &
pids+=($!)
await "$prometheus/-/ready" "$work/prometheus.log"

echo "Selling, writing reports, and taking one report's lock from it …"
curl -fsS -o /dev/null -X POST "$first/stock/phone?quantity=1000000"
buyers "$first" &
pids+=($!)
buyers "$second" &
pids+=($!)
reports "$first" &
pids+=($!)
exports "$first" &
pids+=($!)
sleep 6
curl -fsS -X DELETE "$second/actuator/locks/sales-report" || fail "no report was written"
sleep 10

echo "The dashboard:"
while IFS=$'\t' read -r panel legend expression; do
  expression=${expression//\$__rate_interval/2m}
  expression=${expression//\$job/.*}
  expression=${expression//\$instance/.*}
  expression=${expression//\$lock/.*}
  case $expression in
    *_silent_* | *_idle{* | *_repeated_* | *_differing_*) number=$any ;;
    *) number=$greatest ;;
  esac
  for ((i = 0; i < 30; i++)); do
    value=$(query "$expression" | jq -r "$number")
    [ -n "$value" ] && break
    sleep 1
  done
  [ -n "$value" ] || fail "no data for '$panel': $expression: $(query "$expression")"
  printf '  %-24s %-17s up to %.3g\n' "$panel" "$legend" "$value"
done < <(jq -r '.panels[] | .title as $panel | .targets[] | [$panel, (.legendFormat | gsub("[{}]"; "")), .expr] | @tsv' "$here/grafana-dashboard.json" \
  | sed 's/\\\\/\\/g')

echo "The alerts:"
rules=$(curl -fsS "$prometheus/api/v1/rules" | jq '.data.groups[].rules[]')
jq -r '"  \(.name): \(.state), evaluated in \(.evaluationTime) s"' <<< "$rules"
[ "$(jq -s 'length' <<< "$rules")" -ge 7 ] || fail "alerts are missing"
broken=$(jq -r 'select(.health != "ok") | "\(.name): \(.lastError)"' <<< "$rules")
[ -z "$broken" ] || fail "alerts can't be computed: $broken"
for alert in WatchdogLockLost WatchdogLockHeldLong; do
  [ "$(jq -r "select(.name == \"$alert\") | .state" <<< "$rules")" = firing ] || fail "$alert does not ring"
done
echo "Every panel has data, every alert is computed."

if [ -n "$keep" ]; then
  echo "Prometheus is at $prometheus, the sample at ${shops[*]/#/http://127.0.0.1:}. Ctrl-C ends all."
  wait
fi
