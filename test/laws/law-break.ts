/** A law of the contract, broken by a small change to the code. */
export interface LawBreak {
  name: string;
  /** What the change breaks, as the contract or its documentation says it. */
  law: string;
  file: string;
  /** Occurs once in the file. */
  search: string;
  replace: string;
  /** Of those that run in `npm test`: the smallest that has to notice it. */
  tests: string[];
}
