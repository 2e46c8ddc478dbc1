#!/bin/bash
# world.sh FOLDER: the folder that requests are about, with real files in it
set -euo pipefail
w=$1; rm -rf -- "$w"; mkdir -p "$w"; cd "$w"
export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'
git init -q -b main .; git config user.email a@b.example; git config user.name Ann
mkdir -p photos docs src tests scripts media backup data logs web config old/drafts empty
f() { mkdir -p "$(dirname "$1")"; printf '%b' "$2" > "$1"; }
convert -size 640x480 gradient:red-blue photos/beach.jpg
convert -size 800x600 plasma:fractal -seed 1 photos/sunset.jpg
convert -size 300x400 gradient:green-white photos/portrait.jpg
convert -size 128x128 xc:orange photos/icon.png
convert -size 200x100 gradient:black-white 'photos/holiday 2024.png'
convert -size 64x64 xc:navy logo.png
convert -size 500x500 gradient:yellow-purple banner.bmp
ff() { ffmpeg -v error -nostdin -y "$@"; }
ff -f lavfi -i testsrc=d=4:s=320x240:r=10 -f lavfi -i sine=d=4 -shortest -pix_fmt yuv420p media/talk.mp4
ff -f lavfi -i testsrc=d=3:s=640x360:r=10 -pix_fmt yuv420p media/demo.mov
ff -f lavfi -i sine=d=3 media/song.wav
ff -f lavfi -i sine=f=300:d=3 media/theme.mp3
ff -f lavfi -i testsrc=d=2:s=160x120:r=10 -f lavfi -i sine=d=2 -shortest -pix_fmt yuv420p intro.mkv
f README.md '# Shop\n\nA small *shop*.\n\n* one\n* two\n\nSee [docs](docs/guide.md).\n'
f docs/guide.md '# Guide\n\nHow to recieve the goods.\n\n## Start\n\nTODO: write more.\n'
f docs/notes.md '#Notes\nno blank line\n\n\n\n* item\n+ other\n'
f docs/report.rst 'Report\n======\n\nSome *text* and a `link <https://example.com>`_.\n'
f docs/page.html '<html><head><title>P</title></head><body><h1>Page</h1><p>Hello <b>you</b>.</p></body></html>\n'
f docs/thesis.tex '\\\\section{One}\n\nText of the \\\\emph{thesis}.\n'
pandoc -f markdown docs/guide.md -o docs/letter.docx
f src/app.py 'import os, sys\nimport json\n\ndef main( a,b ):\n    x = eval(a)\n    print( "TODO", b )\n    return x\n'
f src/models.py 'class User:\n    def __init__(self, name):\n        self.name = name\n'
f src/util.js 'var a = 1;\nlet b = 2;\nfunction f() { return a == b }\n'
f src/main.ts 'export const n: number = 1;\nlet unused = 2;\n'
f tests/test_app.py 'from src.app import main\n\n\ndef test_main():\n    assert main("1", 2) == 1\n'
f scripts/deploy.sh '#!/bin/sh\ncd $1\nfor f in $(ls *.txt); do echo $f; done\n'
f scripts/clean.sh '#!/bin/bash\nrm -rf $TMP/x\n'
f config/settings.yaml 'a: 1\nb:   [1,2]\nc: yes\n'
f config/deploy.yml 'name: x\non: push\n'
f config/settings.json '{"debug": true, "port": 8080}\n'
f config/.env 'PASSWORD=hunter2hunter2\nAWS_KEY=AKIAIOSFODNN7EXAMPLE\n'
f Dockerfile 'FROM ubuntu:latest\nRUN apt-get update && apt-get install curl\n'
f requirements.txt 'requests==2.19.0\n'
f data/people.csv 'name,age\nAnn,30\nBob,41\n'
f data/sales.csv 'month,sum\n1,100\n2,90\n'
f data/dump.sql 'CREATE TABLE a (b int);\n'
f logs/server.log 'INFO start\nERROR disk full\nINFO stop\n'
f logs/access.log 'GET / 200\nGET /x 404\nERROR timeout\n'
f notes.txt 'remember the milk\n'
f todo.txt 'TODO one\nTODO two\n'
f a 'a file called a\n'
f 'my file.txt' 'with a space\n'
f old/report-2022.txt 'old\n'
f old/report-2023.txt 'older\n'
f old/drafts/idea.md '# Idea\n'
f web/index.html '<h1>Home</h1>\n'
f web/style.css 'body{color:red}\n'
f CHANGELOG 'v1\n'
f build/out.o 'x\n'; f build/app.bin 'y\n'
tar -czf backup/site.tar.gz web
tar -cf backup/docs.tar docs/guide.md docs/notes.md
tar -cJf photos.tar.xz photos/icon.png photos/beach.jpg
printf 'build/\n' > .gitignore
git add -A; git commit -qm 'First'
printf 'v2\n' >> CHANGELOG; git commit -qam 'Second'
printf 'changed\n' >> notes.txt; printf '\nprint(1)   \n' >> src/models.py
printf 'new\n' > data/new.txt
