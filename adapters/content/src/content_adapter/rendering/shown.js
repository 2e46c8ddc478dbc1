// What of the page a reader sees. Runs next to a page whose own scripts are refused.
//
// Returns an object with which the caller asks, one window after the other:
//   measure()   -> one status a piece, by geometry and computed style: [status, reason, signature]
//   place(i, c) -> scroll to a piece, and list the pieces of `wanted` that are in the window then
//   ink(on)     -> paint all pieces, or none of them
//   finish(all) -> the page's markup with what is shown only
// A piece is a run of text without white space (40 characters at most, 8 of CJK), or an image.
(options) => {
  const SHOWN = 0, DOUBTFUL = 1, HIDDEN = 2;
  const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u;
  const LEAST = {fontHidden: 3, fontDoubtful: 6, opacity: 0.1, fraction: 0.5, ofImage: 0.05, letter: 0.12, gap: 0.1, blur: 3, scroller: 12};
  const root = document.documentElement;
  const pieces = [], texts = [];
  let tooMany = false;

  const add = (piece) => {
    if (pieces.length >= options.most) { tooMany = true; return; }
    pieces.push(piece);
  };

  const split = (node) => {
    for (const found of node.data.matchAll(/\S+/gu)) {
      const size = CJK.test(found[0]) ? 8 : 40;
      const letters = [...found[0]];
      let start = found.index;
      for (let at = 0; at < letters.length; at += size) {
        const text = letters.slice(at, at + size).join("");
        add({node, at: texts.length - 1, parent: node.parentElement, start, end: start + text.length, length: [...text].length});
        start += text.length;
      }
    }
  };

  const walk = () => {
    if (!document.body) return;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node.nodeType === Node.ELEMENT_NODE && node.matches(options.skip) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) { texts.push(node); split(node); }
      else if (node.localName === "img") add({image: node, parent: node, length: 1});
    }
  };

  const above = (element) => {
    if (element.assignedSlot) return element.assignedSlot;
    if (element.parentElement) return element.parentElement;
    const top = element.getRootNode();
    return top instanceof ShadowRoot ? top.host : null;
  };

  const holdsFixed = (style) =>
    style.transform !== "none" || style.translate !== "none" || style.scale !== "none" || style.rotate !== "none" ||
    style.perspective !== "none" || style.filter !== "none" || style.backdropFilter !== "none" ||
    /paint|layout|strict|content/.test(style.contain) || style.contentVisibility !== "visible" ||
    /transform|perspective|filter/.test(style.willChange);

  const isViewport = (element) =>
    element === root || (element === document.body && getComputedStyle(root).overflow === "visible");

  const box = (element) => {
    const outer = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const side = (name) => parseFloat(style[`border${name}Width`]) || 0;
    return {
      left: outer.left + side("Left"), right: outer.right - side("Right"),
      top: outer.top + side("Top"), bottom: outer.bottom - side("Bottom"),
    };
  };

  // Everything about an element that its texts share: read once an element and window.
  const describe = (element) => {
    const own = getComputedStyle(element);
    let opacity = 1, scale = 1, blur = 0, mirrored = false, folded = false, skipped = false, escape = null, pinned = false;
    const clips = [], signature = [own.color, own.webkitTextFillColor, own.webkitTextSecurity, own.fontFamily];
    for (let at = element; at; at = above(at)) {
      const style = getComputedStyle(at);
      opacity *= parseFloat(style.opacity);
      for (const [, inner] of style.filter.matchAll(/opacity\(([\d.e-]+)\)/g)) opacity *= parseFloat(inner);
      for (const [, radius] of style.filter.matchAll(/blur\(([\d.e-]+)px\)/g)) blur = Math.max(blur, parseFloat(radius));
      if (style.transform !== "none") {
        const matrix = new DOMMatrix(style.transform);
        scale *= Math.min(Math.hypot(matrix.m11, matrix.m12), Math.hypot(matrix.m21, matrix.m22));
        if (matrix.m11 * matrix.m22 - matrix.m12 * matrix.m21 < 0) mirrored = !mirrored;
      }
      if (style.scale !== "none") {
        const factors = style.scale.split(" ").map(parseFloat);
        scale *= Math.min(...factors.slice(0, 2).map(Math.abs));
      }
      // The colours are compared by what is painted; a signature only says where a window changes anything.
      signature.push(style.opacity, style.filter, style.clipPath, style.maskImage, style.backgroundColor,
        style.backgroundImage, style.mixBlendMode, style.backgroundClip);
      const holds = escape === null || holdsFixed(style) || (escape === "absolute" && style.position !== "static");
      if (holds) {
        escape = null;
        if (!isViewport(at) && !/^(inline|contents)$/.test(style.display) && `${style.overflowX}${style.overflowY}` !== "visiblevisible")
          clips.push({element: at, x: style.overflowX, y: style.overflowY});
      }
      if (escape === null && /^(absolute|fixed)$/.test(style.position)) escape = style.position;
      pinned ||= /^(fixed|sticky)$/.test(style.position);
      if (at.localName === "details" && !at.open && !(at.querySelector(":scope > summary")?.contains(element))) folded = true;
      if (at.localName === "option" || at.localName === "optgroup") folded = true;
      if (style.contentVisibility === "hidden" && at !== element) skipped = true;
    }
    return {
      visible: own.visibility === "visible", opacity, blur, mirrored, folded, skipped, clips, pinned, fixed: escape === "fixed",
      font: parseFloat(own.fontSize) * scale * (element.currentCSSZoom ?? 1),
      concealed: own.webkitTextSecurity !== "none", gradient: signature.some((part) => /(^|, )text(,|$)/.test(part)),
      signature: signature.join("|"), horizontal: own.writingMode === "horizontal-tb",
    };
  };

  const union = (rects) => {
    const all = {left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity};
    for (const rect of rects) {
      all.left = Math.min(all.left, rect.left); all.top = Math.min(all.top, rect.top);
      all.right = Math.max(all.right, rect.right); all.bottom = Math.max(all.bottom, rect.bottom);
    }
    return all;
  };

  const rectsOf = (piece) => {
    if (piece.image) return [piece.image.getBoundingClientRect()];
    const range = document.createRange();
    range.setStart(piece.node, piece.start);
    range.setEnd(piece.node, piece.end);
    return [...range.getClientRects()];
  };

  const clip = (rect, from, to, low, high, scrolls, offset, extent) => {
    if (!scrolls) { rect[from] = Math.max(rect[from], low); rect[to] = Math.min(rect[to], high); return; }
    const size = rect[to] - rect[from], room = high - low;
    // Only what the reader can scroll to: not left of or above the origin, nor in a slit.
    if (room < LEAST.scroller || rect[to] - low + offset <= 0 || rect[from] - low + offset >= extent + 1) {
      rect[to] = rect[from];
      return;
    }
    rect[from] = low;
    rect[to] = low + Math.min(size, room);
  };

  const fraction = (rect, {clips, fixed: pinned}) => {
    const area = (rect.right - rect.left) * (rect.bottom - rect.top);
    const left = {...rect};
    for (const {element, x, y} of clips) {
      const inner = box(element);
      const backwards = getComputedStyle(element).direction === "rtl";
      const offsetX = backwards ? element.scrollWidth - element.clientWidth + element.scrollLeft : element.scrollLeft;
      if (x !== "visible") clip(left, "left", "right", inner.left, inner.right, /auto|scroll/.test(x), offsetX, element.scrollWidth);
      if (y !== "visible") clip(left, "top", "bottom", inner.top, inner.bottom, /auto|scroll/.test(y), element.scrollTop, element.scrollHeight);
      if (left.right <= left.left || left.bottom <= left.top) return 0;
    }
    const fixed = viewportStyle();
    const backwards = getComputedStyle(root).direction === "rtl";
    const lowX = (backwards ? innerWidth - root.scrollWidth : 0) - scrollX, lowY = -scrollY;
    const highX = fixed.x || pinned ? innerWidth : lowX + 3 * innerWidth, highY = fixed.y || pinned ? innerHeight : Infinity;
    left.left = Math.max(left.left, lowX); left.right = Math.min(left.right, highX);
    left.top = Math.max(left.top, lowY); left.bottom = Math.min(left.bottom, highY);
    if (left.right <= left.left || left.bottom <= left.top) return 0;
    return (left.right - left.left) * (left.bottom - left.top) / area;
  };

  // Whether the window itself can't be scrolled.
  const viewportStyle = () => {
    const outer = getComputedStyle(root), inner = document.body ? getComputedStyle(document.body) : outer;
    const own = outer.overflow === "visible" ? inner : outer;
    return {x: /hidden|clip/.test(own.overflowX), y: /hidden|clip/.test(own.overflowY)};
  };

  const judge = (piece, about) => {
    const unloaded = piece.image && !(piece.image.complete && piece.image.naturalWidth > 0);
    if (!about.visible) return [HIDDEN, "visibility"];
    if (about.opacity < LEAST.opacity) return [HIDDEN, "opacity"];
    if (about.folded) return [DOUBTFUL, "folded"];
    if (about.skipped || !piece.parent.checkVisibility()) return [HIDDEN, "display"];
    if (unloaded) return [SHOWN, "unloaded"];
    const rects = rectsOf(piece).filter((rect) => rect.width > 0 && rect.height > 0);
    if (!rects.length) return [HIDDEN, "no-box"];
    piece.rects = rects;
    piece.rect = union(rects);
    if (fraction(piece.rect, about) < (piece.image ? LEAST.ofImage : LEAST.fraction)) return [HIDDEN, "outside"];
    if (piece.image) return piece.rect.right - piece.rect.left < 2 || piece.rect.bottom - piece.rect.top < 2 ? [HIDDEN, "size"] : [SHOWN, ""];
    if (about.concealed) return [HIDDEN, "concealed"];
    if (about.font < LEAST.fontHidden) return [HIDDEN, "size"];
    if (about.horizontal && rects.length === 1 && piece.length > 2) {
      const width = Math.max(rects[0].width, rects[0].height);
      if (width < LEAST.letter * piece.length * about.font) return [HIDDEN, "squeezed"];
    }
    if (about.blur > LEAST.blur) return [HIDDEN, "blur"];
    if (about.font < LEAST.fontDoubtful) return [DOUBTFUL, "size"];
    if (about.mirrored) return [DOUBTFUL, "mirrored"];
    if (about.gradient) return [DOUBTFUL, "gradient"];
    return [SHOWN, ""];
  };

  const measure = () => {
    scrollTo({left: 0, top: 0, behavior: "instant"});
    const known = new Map();
    return pieces.map((piece) => {
      if (!known.has(piece.parent)) known.set(piece.parent, describe(piece.parent));
      const about = known.get(piece.parent);
      piece.about = about;
      piece.rect = null;
      return [...judge(piece, about), about.signature];
    });
  };

  // Words that the page sets side by side without a gap are one word; those set upon each other nobody can read.
  const layout = (statuses) => {
    const rows = new Map(), upon = new Set();
    let last = null;
    pieces.forEach((piece, index) => {
      if (piece.image || !piece.rect || statuses[index] !== SHOWN) { last = piece.image ? null : last; return; }
      if (last && piece.about.horizontal && (last.node !== piece.node || last.end < piece.start)) {
        const before = last.rects.at(-1), after = piece.rects[0];
        const shared = Math.min(after.bottom, before.bottom) - Math.max(after.top, before.top);
        const gap = Math.max(after.left - before.right, before.left - after.right);
        piece.joined = shared > after.height / 2 && gap < LEAST.gap * piece.about.font && gap > -piece.about.font;
      }
      last = piece;
      for (const line of piece.rects) compare(line, index, rows, upon);
    });
    return [...upon];
  };

  // Note pieces that share a good part of their place with another one. `rows` has the lines by their place, 24 pixels each.
  const compare = (line, index, rows, upon) => {
    const first = Math.floor(line.top / 24);
    for (let row = first; row <= Math.floor(line.bottom / 24) && row < first + 8; row++) {
      const others = rows.get(row) ?? [];
      for (const [other, owner] of others.slice(-200)) {
        if (owner === index) continue;
        const across = Math.min(line.right, other.right) - Math.max(line.left, other.left);
        const down = Math.min(line.bottom, other.bottom) - Math.max(line.top, other.top);
        if (across > Math.min(line.width, other.width) * 0.4 && down > Math.min(line.height, other.height) / 2) {
          upon.add(index); upon.add(owner);
        }
      }
      others.push([line, index]);
      rows.set(row, others);
    }
  };

  const bring = (piece, centred) => {
    for (const {element, x, y} of piece.about.clips) {
      const rect = union(rectsOf(piece)), inner = box(element);
      if (/auto|scroll/.test(y)) element.scrollTop += (rect.top + rect.bottom - inner.top - inner.bottom) / 2;
      if (/auto|scroll/.test(x)) element.scrollLeft += (rect.left + rect.right - inner.left - inner.right) / 2;
    }
    const rect = union(rectsOf(piece)), fixed = viewportStyle();
    const top = centred ? (rect.top + rect.bottom - innerHeight) / 2 : rect.top - 0.15 * innerHeight;
    const inside = rect.left >= 0 && rect.right <= innerWidth;
    scrollTo({
      left: scrollX + (inside || fixed.x ? 0 : (rect.left + rect.right - innerWidth) / 2),
      top: scrollY + (fixed.y ? 0 : top), behavior: "instant",
    });
  };

  // Whether a box that scrolls has to be scrolled before the rectangle is seen in it.
  const isScrolledOut = ({element, x, y}, left, top, right, bottom) => {
    const inner = box(element);
    return /auto|scroll/.test(y) && (top < inner.top - 1 || bottom > inner.bottom + 1) ||
      /auto|scroll/.test(x) && (left < inner.left - 1 || right > inner.right + 1);
  };

  // Scroll to a piece. List those wanted that are in the window then: [index, whether there is no better place for it,
  // whether it is an image, its length, its boxes].
  const place = (first, centred, wanted) => {
    bring(pieces[first], centred);
    const found = [];
    for (const index of wanted) {
      const piece = pieces[index];
      const rects = rectsOf(piece).filter((rect) => rect.width > 0 && rect.height > 0);
      if (!rects.length) continue;
      const {left, right, top, bottom} = union(rects);
      const whole = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
      if (index !== first && piece.about.clips.some((clip) => isScrolledOut(clip, left, top, right, bottom))) continue;
      if (!whole && !(index === first || piece.image) || right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) continue;
      // It could stand nearer to the middle of the window, where nothing that doesn't scroll is above it.
      const better = Math.max(0, Math.min(root.scrollHeight - innerHeight, scrollY + (top + bottom - innerHeight) / 2));
      const central = index === first || piece.about.pinned || Math.abs(better - scrollY) < innerHeight / 4;
      found.push([index, centred && central, Boolean(piece.image), piece.length, rects.map((r) => [r.left, r.top, r.width, r.height])]);
    }
    return found;
  };

  const dry = new CSSStyleSheet();
  // More specific than what pages have. A page that overrides it all the same paints no difference: its words are hidden.
  const any = ":not(#\\9#\\9#\\9#\\9)";
  const bare = "-webkit-text-fill-color: transparent !important; -webkit-text-stroke-color: transparent !important;";
  dry.replaceSync(`*${any}, *${any}::first-line, *${any}::first-letter { ${bare} } img${any} { opacity: 0 !important }`);
  // What isn't counted is never painted, or it would stand in for words below it: generated content, fields, decoration.
  const still = new CSSStyleSheet();
  still.replaceSync(`*${any}, *${any}::before, *${any}::after { transition: none !important; scroll-behavior: auto !important;
    text-decoration: none !important; text-emphasis-color: transparent !important; }
    *${any}::before, *${any}::after, input${any}, textarea${any}, select${any} { ${bare} text-shadow: none !important }`);

  const ink = (on) => { document.adoptedStyleSheets = on ? [still] : [still, dry]; };

  // Stop animations: where they are after `ms`, or at their end.
  const stop = (ms) => {
    for (const animation of document.getAnimations()) {
      if (!(animation.timeline instanceof DocumentTimeline)) continue;
      const end = animation.effect.getComputedTiming().endTime;
      animation.pause();
      animation.currentTime = Number.isFinite(end) ? Math.min(end, ms) : ms;
    }
    for (const drawing of document.querySelectorAll("svg")) drawing.pauseAnimations?.();
  };

  const finish = (statuses) => {
    const breaks = [...document.body?.querySelectorAll("*") ?? []].filter((element) =>
      /^(br|hr|button|select|option|optgroup|legend)$/.test(element.localName) ||
      !/^(inline|contents|none|ruby)/.test(getComputedStyle(element).display));
    for (const element of document.querySelectorAll("[style]")) element.removeAttribute("style");
    for (const element of document.querySelectorAll("style,link")) element.remove();
    const parts = new Map();
    let last = null;
    pieces.forEach((piece, index) => {
      if (piece.image) { if (statuses[index] === HIDDEN) piece.image.remove(); return; }
      if (!parts.has(piece.node)) parts.set(piece.node, []);
      parts.get(piece.node).push([piece, statuses[index]]);
      if (piece.joined && last && last.node !== piece.node) {
        last.joins = true;
        for (let at = last.at + 1; at < piece.at; at++) if (!texts[at].data.trim()) texts[at].data = "";
      }
      last = piece;
    });
    const unsure = (text) => {
      const span = document.createElement("span");
      span.setAttribute("style", options.doubtful);
      span.textContent = text;
      return span;
    };
    for (const [node, list] of parts) {
      const made = document.createDocumentFragment();
      let at = 0;
      for (const [piece, status] of list) {
        if (!piece.joined) made.append(node.data.slice(at, piece.start));
        const text = node.data.slice(piece.start, piece.end);
        if (status !== HIDDEN) made.append(status === SHOWN ? text : unsure(text));
        at = piece.end;
      }
      const rest = node.data.slice(at);
      // Text beyond the last piece that there is room for stays doubtful.
      if (rest.trim()) made.append(unsure(rest));
      else if (!list.at(-1)[0].joins) made.append(rest);
      node.replaceWith(made);
    }
    for (const node of tooMany ? texts : []) if (!parts.has(node) && node.data.trim()) node.replaceWith(unsure(node.data));
    for (const element of breaks) { element.before("\n"); element.after("\n"); }
    return root.outerHTML;
  };

  walk();
  document.adoptedStyleSheets = [still];
  return {pieces, measure, layout, place, ink, stop, finish};
}
