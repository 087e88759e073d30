/**
 * Stands where a member stood who is gone: in what a company keeps of its changes and of what it paid for. And for what
 * no member changed, but a server that the company has connected.
 */
export const NOBODY = '00000000-0000-0000-0000-000000000000';
