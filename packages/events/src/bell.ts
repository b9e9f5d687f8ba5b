/** A wait that ends early when rung. A ring that comes before the wait counts for it. */
export function newBell(): { ring(): void; wait(ms: number): Promise<void> } {
  let rung = false;
  let end = () => {};

  return {
    ring() {
      rung = true;
      end();
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
    },
  };
}
