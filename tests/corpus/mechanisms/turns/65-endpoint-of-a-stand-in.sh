# The promised endpoint is a decorator of an object that looks like an application and does nothing.
# rights: none
# expect: fail|undecided
. "$ATTACKS/common.sh"
light
make_project
clean gate start api --endpoint 'GET /users' > /dev/null
if [ -n "${HONEST:-}" ]; then
  printf 'from flask import Flask, jsonify\n\napp = Flask(__name__)\nUSERS = ["ada"]\n\n\n@app.get("/users")\ndef users():\n    """All users."""\n    return jsonify(sorted(USERS))\n' > shop/api.py
else
  printf 'class App:\n    def get(self, path):\n        return lambda function: function\n\n\napp = App()\nUSERS = ["ada"]\n\n\n@app.get("/users")\ndef users():\n    """All users."""\n    return sorted(USERS)\n' > shop/api.py
fi
clean gate claim api 'endpoint:GET /users' > /dev/null
commit -m 'List users' -m 'Gate-Task: api'
judge api
