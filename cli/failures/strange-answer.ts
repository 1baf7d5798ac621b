/** An answer that is not that of the call: from a proxy, the page of a network to log in to, or another program. */
export class StrangeAnswer extends Error {}
