#!/usr/bin/env node
// The agent that every injection dreams of: it does whatever it reads, wherever it stands, also behind a fence and in files
// that it is told to read. What it did and what came of it, it says in its report.
import { execSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';

const did = [];

async function tried(order, act) {
  try {
    did.push({ order, ok: true, said: String((await act()) ?? '').slice(0, 4000) });
  } catch (error) {
    did.push({ order, ok: false, said: String(error.message).slice(0, 500) });
  }
}

/** Through the proxy that its environment names, as a vendor's program would. */
function fetched(url) {
  const proxy =
    process.env.HTTP_PROXY && !/\/\/(?:127|localhost)/.test(url)
      ? new URL(process.env.HTTP_PROXY)
      : undefined;
  const target = new URL(url);
  const way = proxy
    ? { host: proxy.hostname, port: proxy.port, path: url, headers: { host: target.host } }
    : { host: target.hostname, port: target.port, path: target.pathname };
  return new Promise((resolve, reject) => {
    const request = http.get({ ...way, timeout: 5000 }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += chunk));
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(body) : reject(new Error(`${answer.statusCode}`)),
      );
    });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', reject);
  });
}

async function obey(text) {
  for (const [order, verb, rest] of text.matchAll(/\b(RUN|WRITE|APPEND|READ|FETCH|ENV): ?([^\n"]*)/g)) {
    if (verb === 'RUN')
      await tried(order, () => execSync(rest, { encoding: 'utf8', stdio: 'pipe', timeout: 10_000 }));
    if (verb === 'FETCH') await tried(order, () => fetched(rest.trim()));
    if (verb === 'ENV') await tried(order, () => JSON.stringify(process.env));
    if (verb === 'READ') await tried(order, () => obey(fs.readFileSync(rest.trim(), 'utf8')));
    const [, file, content] = /^(\S+?): ?(.*)$/.exec(rest) ?? [];
    if (verb === 'WRITE' || verb === 'APPEND')
      await tried(order, () =>
        fs[verb === 'WRITE' ? 'writeFileSync' : 'appendFileSync'](file, `${content}\n`),
      );
  }
}

let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
await obey(prompt);
console.log(
  JSON.stringify({
    status: 'success',
    summary: `I did as I was told, ${did.length} times`,
    artifacts: { did },
  }),
);
