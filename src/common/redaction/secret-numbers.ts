// Groups of digits; what goes on with more digits is another number. A telephone number begins with +.
const digitGroups = /(?<![\d+][ -]?)\d(?:[ -]?\d){12,18}(?![ -]?\d)/g;

/** How the numbers of payment cards begin, with their lengths: a company's number passes the same checksum. */
const issuers: readonly (readonly [beginning: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^(?:6011|64[4-9]|65)/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
];

/** Whether the number of a payment card stands in a text. */
export const holdsCardNumber = (text: string): boolean =>
  (text.match(digitGroups) ?? []).some((group) => {
    const digits = group.replaceAll(/[ -]/g, '');
    return (
      issuers.some(([beginning, lengths]) => lengths.includes(digits.length) && beginning.test(digits)) &&
      fitsLuhn(digits)
    );
  });

/** The checksum of ISO/IEC 7812. */
const fitsLuhn = (digits: string): boolean => {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

const accounts = /(?<![\p{L}\d])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,34}/gu;

/** Whether the number of a bank account (IBAN) stands in a text. */
export const holdsAccountNumber = (text: string): boolean =>
  (text.toUpperCase().match(accounts) ?? []).some((found) => {
    // The words behind it may have been taken for its last groups.
    const groups = found.split(/[ -]/);
    return groups.some((_, index) => isIban(groups.slice(0, index + 1).join('')));
  });

/** The checksum of ISO 13616. */
const isIban = (text: string): boolean => {
  if (text.length < 15 || text.length > 34 || (text.match(/\d/g)?.length ?? 0) < 8) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  const digits = moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
};
