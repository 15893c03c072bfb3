/**
 * Evaluates an explanation's arithmetic: whole numbers, `+ − × ÷`, `round(…)` (half away from zero) and `min(…, …)`.
 * It uses exact fractions and shares no code with the explanation.
 */
export function evaluate(expression: string): number {
  const tokens = expression.match(/\d+|round|min|[+−×÷(),-]/g) ?? [];
  if (tokens.join("") !== expression.replaceAll(" ", "")) throw new SyntaxError(expression);
  type Fraction = { top: bigint; bottom: bigint };
  const take = (wanted?: string): string => {
    const token = tokens.shift();
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new SyntaxError(`${expression}: ${token} for ${wanted}`);
    return token;
  };
  const whole = (top: bigint): Fraction => ({ top, bottom: 1n });
  const round = ({ top, bottom }: Fraction): bigint => {
    const [size, by] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom];
    const rounded = (size * 2n + by) / (by * 2n);
    return top < 0n !== bottom < 0n ? -rounded : rounded;
  };

  function value(): Fraction {
    const token = take();
    if (token === "−" || token === "-") {
      const { top, bottom } = value();
      return { top: -top, bottom };
    }
    if (token === "round") {
      take("(");
      const inner = sum();
      take(")");
      return whole(round(inner));
    }
    if (token === "min") {
      take("(");
      const one = round(sum());
      take(",");
      const other = round(sum());
      take(")");
      return whole(one < other ? one : other);
    }
    return whole(BigInt(token));
  }
  function product(): Fraction {
    let left = value();
    while (tokens[0] === "×" || tokens[0] === "÷") {
      const times = take() === "×";
      const { top, bottom } = value();
      left = times
        ? { top: left.top * top, bottom: left.bottom * bottom }
        : { top: left.top * bottom, bottom: left.bottom * top };
    }
    return left;
  }
  function sum(): Fraction {
    let left = product();
    while (tokens[0] === "+" || tokens[0] === "−") {
      const sign = take() === "+" ? 1n : -1n;
      const { top, bottom } = product();
      left = { top: left.top * bottom + sign * top * left.bottom, bottom: left.bottom * bottom };
    }
    return left;
  }

  const { top, bottom } = sum();
  if (tokens.length > 0 || top % bottom !== 0n) throw new SyntaxError(`${expression} is not a whole number`);
  return Number(top / bottom);
}
