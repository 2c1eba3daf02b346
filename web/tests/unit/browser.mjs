// The little of a browser that modules look at when they are loaded; import it before them.
globalThis.navigator ??= { language: 'en-US' };
