// Keeps an open page up to date: follows the server's events, and reads the page again where it is about what changed.
"use strict";

(() => {
  const body = document.body;
  const about = body.dataset.about;
  if (!about || !window.EventSource) return;
  const news = document.getElementById("news");
  for (const part of document.querySelectorAll(".no-script")) part.hidden = true;

  const say = (text) => { news.textContent = text; };

  // One refresh at a time, and one more for what came meanwhile.
  let busy = false;
  let again = false;
  const refresh = async (id, text) => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      await htmx.ajax("GET", location.pathname + location.search, {
        target: `#${id}`, select: `#${id}`, swap: "outerMorph",
      });
      say(text);
    } finally {
      busy = false;
    }
    if (again) { again = false; await refresh(id, text); }
  };

  const source = new EventSource(`/events?about=${encodeURIComponent(about)}&after=${encodeURIComponent(body.dataset.after)}`);
  const watched = body.dataset.watched;

  source.addEventListener("tasks", (event) => {
    const { tasks, more, removed } = JSON.parse(event.data);
    if (document.getElementById("queue")) {
      const count = tasks.length + more;
      refresh("queue", count === 1 ? `${tasks[0]} changed.` : `${count + removed} tasks changed.`);
    } else if (document.getElementById("task") && (more > 0 || removed > 0 || tasks.includes(watched))) {
      refresh("task", "The task changed.");
    } else if (document.getElementById("history")) {
      refresh("history", "The history changed.");
    }
  });

  // Something was missed: everything is read again.
  source.addEventListener("reset", () => location.reload());

  const lines = document.getElementById("run-lines");
  source.addEventListener("started", () => { document.getElementById("run-state").textContent = "It runs."; });
  source.addEventListener("line", (event) => { lines.append(`${JSON.parse(event.data).text}\n`); });
  source.addEventListener("ended", () => {
    source.close();
    location.reload();
  });
})();
