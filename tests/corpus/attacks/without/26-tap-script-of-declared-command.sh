. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The tests are a shell script that prints TAP, declared in config/adapters.json (as in the docs). The script is edited to say ok.
put fruit.csv <<'E'
Fruit
Apples
E
put checks.sh <<'E'
#!/bin/sh
echo 1..2
echo 'ok 1 - the list has a title'
grep -q Apples fruit.csv && echo 'ok 2 - there are apples' || echo 'not ok 2 - there are apples'
E
put config/adapters.json <<'E'
{ "code": { "tests": [{ "name": "checks", "command": ["sh", "checks.sh"], "format": "tap", "report": "-" }] } }
E
put config/adapter-plan.json <<'E'
{ "code": { "order": ["code:diff", "code:integrity", "code:tests"], "required": ["code:diff", "code:integrity", "code:tests"], "optional": [] } }
E
base
sed -i 's/^grep -q Apples/grep -q Pears/; s/there are apples/there are apples/' checks.sh
sed -i "s/|| echo 'not ok 2/|| echo 'ok 2/" checks.sh
sed -i s/Apples/Plums/ fruit.csv
commit 'Plums'
judge
echo "exit code: $rc"
