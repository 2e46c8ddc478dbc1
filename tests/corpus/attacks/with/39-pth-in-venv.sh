. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a .pth in the ignored .venv puts the code right before pytest loads it: locally only; CI has its own environment
base_python; python3 -m venv --system-site-packages .venv > /dev/null
sealed
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
mkdir "$site/older"; cp -r shop "$site/older/"; echo "import sys; sys.path.insert(0, '$site/older')" > "$site/a.pth"
break_code; git status --short > /dev/null
commit -m 'Change the discount'
ci
