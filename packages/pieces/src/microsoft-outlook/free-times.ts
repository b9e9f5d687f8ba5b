interface Period {
  start: string;
  end: string;
  slotMinutes: number;
  durationMinutes: number;
}

/** 0 is free and 4 is working elsewhere: https://learn.microsoft.com/graph/api/resources/scheduleinformation. */
const FREE = new Set(['0', '4']);

/** Returns the times that are free in all views and long enough, in UTC. A view contains one digit for each slot since the start. */
export function freeTimes(views: readonly string[], { start, end, slotMinutes, durationMinutes }: Period) {
  if (views.length === 0) return [];
  const slots = Math.min(...views.map((view) => view.length));
  const [from, until, slot] = [Date.parse(start), Date.parse(end), slotMinutes * 60_000];
  const found: { start: string; end: string }[] = [];
  let began = 0;
  for (let index = 0; index <= slots; index++) {
    if (index < slots && views.every((view) => FREE.has(view.charAt(index)))) continue;
    const [first, last] = [from + began * slot, Math.min(from + index * slot, until)];
    if (last - first >= durationMinutes * 60_000) found.push({ start: toIso(first), end: toIso(last) });
    began = index + 1;
  }
  return found;
}

const toIso = (time: number): string => new Date(time).toISOString();
