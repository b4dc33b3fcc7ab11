const kept = 'chasqui-instance';

export function rememberInstance(slug: string): void {
  localStorage.setItem(kept, slug);
}

/** The one that was open last in this browser, else the first. */
export function lastInstance<Instance extends { slug: string }>(instances: Instance[]): Instance | undefined {
  const slug = localStorage.getItem(kept);
  return instances.find((each) => each.slug === slug) ?? instances[0];
}
