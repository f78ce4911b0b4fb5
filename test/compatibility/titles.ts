// Reads the titles of tests from their TypeScript source.

/** A title as it stands in a call of describe() or test() that begins its line. */
const opening = /^([ \t]*)(describe|test)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\3)[^\\])*)\3/gm;

/**
 * All tests of a source, each as 'title > title' from the outermost describe() in. A title that is a template stands
 * there with … for each placeholder. The source must be indented as its nesting is, which the formatter sees to.
 */
export function titlesOf(source: string): string[] {
  const around: { readonly indent: number; readonly title: string }[] = [];
  const titles: string[] = [];
  for (const [, space = '', kind, , text = ''] of source.matchAll(opening)) {
    while ((around.at(-1)?.indent ?? -1) >= space.length) around.pop();
    const title = text.replace(/\$\{[^}]*\}/g, '…').replace(/\\(.)/g, '$1');
    if (kind === 'describe') around.push({ indent: space.length, title });
    else titles.push([...around.map((outer) => outer.title), title].join(' > '));
  }
  return titles;
}
