interface Total {
  rows: number;
  suspended: number;
}

/** What a list says of its length, from the `totals` that triggers keep; an organization that never had any has none. */
export function totalOf(total: Total | null, { includeSuspended }: { includeSuspended: boolean }): number {
  if (!total) return 0;
  return includeSuspended ? total.rows : total.rows - total.suspended;
}
