export function readyBanner({ url, firstKey, seconds }: { url: string; firstKey: string; seconds: number }): string {
  return [
    '',
    `Drawbridge is ready (${seconds.toFixed(1)} s)`,
    `  Base URL       ${url}`,
    `  API reference  ${url}/docs`,
    `  First key      ${firstKey}`,
    '  Stop           Ctrl-C, or SIGTERM to this process',
    '',
  ].join('\n');
}
