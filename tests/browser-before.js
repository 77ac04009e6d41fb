"use strict";
/* Everything that should not happen on a page, kept for browser-after.js. */
const trouble = [];
addEventListener("error", e => trouble.push("error: " + (e.message || e.target?.src)), true);
addEventListener("unhandledrejection", e => trouble.push("rejection: " + e.reason));
document.addEventListener("securitypolicyviolation", e => trouble.push("policy: " + e.violatedDirective + " " + e.blockedURI));
for (const kind of ["error", "warn", "log", "info", "debug"]) console[kind] = (...words) => trouble.push(kind + ": " + words.join(" "));
window.alert = text => trouble.push("alert: " + text);
