// The style of the page: one column on a phone, several on a desktop, in the colours of a light or a dark screen.

export const style = `
  :root { color-scheme: light dark; --page: #ffffff; --card: #f6f8fa; --text: #1b222c; --quiet: #596473; --line: #d5dbe2;
    --ours: #1f6fd6; --rival: #9aa5b3; --sync: #b9c1cc; --good: #17723f; --bad: #b3261e }
  @media (prefers-color-scheme: dark) {
    :root { --page: #11151a; --card: #191f27; --text: #e7ebf0; --quiet: #9ba7b6; --line: #343d48;
      --ours: #5b9dff; --rival: #7a8798; --sync: #566170; --good: #5fd08d; --bad: #ff8a80 } }
  * { box-sizing: border-box }
  body { margin: 0 auto; padding: 20px 16px 60px; max-width: 1240px; background: var(--page); color: var(--text);
    font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
  h1 { font-size: 26px; line-height: 1.25; margin: 12px 0 } h2 { font-size: 20px; margin: 40px 0 8px }
  h3 { font-size: 16px; margin: 0 } h4 { font-size: 13px; font-weight: 400; margin: 10px 0 0 }
  p { margin: 6px 0; max-width: 75ch } .quiet { color: var(--quiet) } code { font-size: 0.92em }
  .key span { display: inline-block; margin-right: 18px } .key i { display: inline-block; width: 12px; height: 12px;
    margin-right: 6px; vertical-align: -1px }
  .workloads { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 370px), 1fr)); gap: 14px;
    align-items: start; margin-top: 16px }
  .workload { min-width: 0; padding: 14px; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
  .workload > p { font-size: 13px; line-height: 1.4; color: var(--quiet) }
  .workload svg { display: block; max-width: 100%; height: auto }
  .scroll { overflow-x: auto } .scroll img { display: block; min-width: 800px; max-width: 100% }
  details { margin-top: 8px } summary { cursor: pointer; font-size: 13px; color: var(--quiet) }
  .goals { margin: 12px 0 } .goals summary { font-size: 15px; font-weight: 600; color: var(--text) }
  table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
  th, td { padding: 5px 12px 5px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
  th { font-weight: 600 } td small { display: block; color: var(--quiet); white-space: nowrap }
  td:first-child { white-space: nowrap } .met { color: var(--good) } .missed { color: var(--bad) } .failed { color: var(--bad); font-weight: 600 }`;
