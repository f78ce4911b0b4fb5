// The error for bytes of results that cannot be what C++ wrote.

/** Nothing else that the same connection sends is believed then: what it belongs to may be wrong as well. */
export class Damage extends Error {}
