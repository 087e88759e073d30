/** What was measured: a line each as it comes, or all of it as JSON at the end. */
function format(number) {
  return number.toLocaleString('en', { maximumFractionDigits: Math.abs(number) < 2 ? 3 : 1 });
}

export class Report {
  constructor({ json }) {
    this.json = json;
    this.rows = [];
  }

  /** `figures`: by name, with the unit as its last word. */
  add(what, figures) {
    this.rows.push({ what, ...figures });
    if (this.json) return;
    const told = Object.entries(figures).map(
      ([name, value]) => `${name} ${typeof value === 'number' ? format(value) : value}`,
    );
    console.log(`${what.padEnd(48)} ${told.join('  ')}`);
  }

  end() {
    if (this.json) console.log(JSON.stringify(this.rows, null, 2));
  }
}

function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function milliseconds(times) {
  const sorted = times.toSorted((one, other) => one - other);
  return {
    'p50 ms': percentile(sorted, 0.5),
    'p95 ms': percentile(sorted, 0.95),
    'p99 ms': percentile(sorted, 0.99),
  };
}

export async function timed(work) {
  const begun = performance.now();
  const result = await work();
  return { seconds: (performance.now() - begun) / 1000, result };
}
