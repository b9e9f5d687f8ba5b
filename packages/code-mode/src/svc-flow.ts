import { type AnyNode, type Identifier, type Node, type Pattern } from 'acorn';
import { type Bindings, keyOf, nameOf } from './bindings.js';
import { type Program, ROOT, type Signals } from './program.js';
import { type Tree } from './syntax-tree.js';
import { isDropped, isPassedOn, targetOf } from './value-uses.js';

/**
 * Maximum number of places, which are `svc` and its aliases, that one variable can refer to. If a variable refers to more, it is reported instead of
 * followed, because following it takes time for each place.
 */
const MAX_PLACES = 10;
const SENTENCES = {
  computed: 'a computed name after svc',
  passed: 'svc or one of its integrations is passed as a value',
  rest: 'the rest of svc is collected by a pattern',
  many: 'one name stands for too many integrations',
} as const;

/** A value of the code API through which several tools are reachable: `svc` itself, or one of its aliases. */
interface Place {
  alias: string | undefined;
}

/** A tool that the program refers to by name. */
export interface Mention {
  alias: string;
  /** Absent if the program calls the alias itself. */
  actionName?: string;
  /** A member of the tool that the program accesses, such as `call` or a mistake. */
  member?: string;
  node: Node;
}

export interface Flow {
  mentions: readonly Mention[];
  /** Set if each use of `svc` is a direct call of a tool. */
  isDirect: boolean;
  /** Returns whether a variable of this name can contain a value of the code API. */
  isTracked(name: string): boolean;
}

/** Follows `svc` and its aliases through the variables of a program. Reports each use that it cannot follow. */
export function followSvc({ tree, bindings, signals }: Program): Flow {
  const follower = new Follower(tree, bindings, signals);
  follower.bind(ROOT, { alias: undefined });
  follower.run();
  return {
    mentions: follower.mentions,
    isDirect: follower.isDirect && !bindings.isBound(ROOT),
    isTracked: (name) => follower.isTracked(name),
  };
}

class Follower {
  readonly mentions: Mention[] = [];
  isDirect = true;
  private readonly places = new Map<string, Map<string | undefined, Place>>();
  private readonly queue: { node: AnyNode; place: Place }[] = [];
  private readonly seen = new Map<Node, Set<string | undefined>>();

  constructor(
    private readonly tree: Tree,
    private readonly bindings: Bindings,
    private readonly signals: Signals,
  ) {}

  isTracked(name: string): boolean {
    return this.places.has(name);
  }

  run(): void {
    for (let next = this.queue.pop(); next; next = this.queue.pop()) this.follow(next.node, next.place);
  }

  bind(name: string, place: Place, target?: Identifier): void {
    const known = this.places.get(name) ?? new Map<string | undefined, Place>();
    this.places.set(name, known);
    if (known.has(place.alias)) return;
    if (known.size === MAX_PLACES) return this.signals.add(target ?? this.firstOf(name), SENTENCES.many);
    known.set(place.alias, place);
    for (const node of this.bindings.referencesOf(name)) this.enqueue(node, place);
  }

  private firstOf(name: string): Node {
    return this.bindings.referencesOf(name)[0]!;
  }

  private enqueue(node: AnyNode, place: Place): void {
    const seen = this.seen.get(node) ?? new Set();
    this.seen.set(node, seen);
    if (seen.has(place.alias)) return;
    seen.add(place.alias);
    this.queue.push({ node, place });
  }

  /** Handles an expression that can evaluate to this place (`svc` or one of its aliases), depending on how the program uses the value. */
  private follow(node: AnyNode, place: Place): void {
    const parent = this.tree.parentOf(node);
    if (parent?.type === 'MemberExpression' && parent.object === node) return this.followMember(parent, place);
    if (node.type === 'Identifier' && node.name !== ROOT) this.isDirect = false;
    if (parent?.type !== 'ChainExpression') this.isDirect = false;
    if (!parent || isDropped(parent, node)) return;
    const target = targetOf(parent, node);
    if (target) this.assign(target, place);
    if (parent.type === 'CallExpression' && parent.callee === node && place.alias !== undefined) {
      this.mentions.push({ alias: place.alias, node });
    } else if (isPassedOn(parent, node)) {
      this.enqueue(parent, place);
    } else if (!target) {
      this.signals.add(node, SENTENCES.passed);
    }
  }

  private followMember(member: AnyNode & { type: 'MemberExpression' }, place: Place): void {
    const name = keyOf(member, this.bindings);
    if (name === undefined) return this.signals.add(member, SENTENCES.computed);
    if (place.alias === undefined) this.enqueue(member, { alias: name });
    else this.mention(member, place.alias, name);
  }

  private mention(node: AnyNode, alias: string, actionName: string): void {
    const parent = this.tree.parentOf(node);
    const isCalled = parent?.type === 'CallExpression' && parent.callee === node;
    if (!isCalled) this.isDirect = false;
    const member = parent?.type === 'MemberExpression' && parent.object === node;
    const name = member ? keyOf(parent, this.bindings) : undefined;
    this.mentions.push({ alias, actionName, node, ...(name !== undefined && { member: name }) });
  }

  /** Binds the variables to which a destructuring pattern assigns members of this place. */
  private assign(target: Pattern, place: Place): void {
    this.isDirect = false;
    if (target.type === 'Identifier') return this.bind(target.name, place, target);
    if (target.type === 'AssignmentPattern') return this.assign(target.left, place);
    if (target.type !== 'ObjectPattern') return this.signals.add(target, SENTENCES.passed);
    for (const property of target.properties) {
      if (property.type === 'RestElement') this.signals.add(property, SENTENCES.rest);
      else this.assignMember(property, place);
    }
  }

  private assignMember(
    { key, computed, value }: { key: AnyNode; computed: boolean; value: Pattern },
    place: Place,
  ): void {
    const name = nameOf(key, computed, this.bindings);
    if (name === undefined) return this.signals.add(key, SENTENCES.computed);
    if (place.alias === undefined) this.assign(value, { alias: name });
    else this.mentions.push({ alias: place.alias, actionName: name, node: key });
  }
}
