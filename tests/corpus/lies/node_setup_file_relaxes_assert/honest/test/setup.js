process.env.TZ = 'UTC';
process.env.LANG = 'C.UTF-8';
