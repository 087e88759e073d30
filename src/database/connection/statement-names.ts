/** So many statements a connection keeps prepared; further ones are planned anew each time. */
const MOST = 500;

/**
 * Names under which a server keeps statements and their plans: planning is most of what a short statement costs.
 * Names differ by role, for a plan under row-level security is one role's, and made anew at every change.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();

  /** The name of a statement that `role` runs; undefined: it is to have none. */
  nameOf(role: string, text: string): string | undefined {
    const key = `${role} ${text}`;
    const known = this.names.get(key);
    if (known !== undefined || this.names.size >= MOST) return known;
    const name = `palabre_${this.names.size}`;
    this.names.set(key, name);
    return name;
  }
}
