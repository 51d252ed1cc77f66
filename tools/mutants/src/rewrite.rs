//! One source file in, the same file with all its mutants inside out.
//!
//! A place that can be changed becomes a choice between the original and its mutants, each asked for by number:
//! `a + b` is `match (a, b) { (l, r) => if on(17) { l - r } else if on(18) { l * r } else { l + r } }`. So one build holds
//! all mutants, and a test run costs no compilation (Untch, Offutt, Harrold, Mutation analysis using mutant schemata, 1993).
//! Left alone: tests, constants, statics, patterns, types, arguments of macros.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Lit, ReturnType, Stmt, Type, UnOp, parse_quote};

/// Constants of the library that are bounds: every use of one is changed at once.
const BOUNDS: [&str; 34] = [
    "SURE",
    "TINY",
    "SUM_BOUND",
    "U",
    "MOST_SQUARE",
    "SHORT",
    "LEAST",
    "SAFETY",
    "EPSILON",
    "LOW_BITS",
    "DOT_BOUND",
    "MOST",
    "CROSS_BOUND",
    "QUOTIENT_BOUND",
    "ROOM",
    "E",
    "K",
    "ERROR",
    "SLACK",
    "REACH",
    "MARGIN",
    "FLAT",
    "UP",
    "NEAR",
    "TOLERANCE",
    "LOCAL",
    "BEYOND",
    "SLOW",
    "BACK",
    "LARGE",
    "GROW",
    "FAR",
    "RIM",
    "STRETCH",
];

/// One mutant: where it is and what it changes.
#[derive(Clone, Debug)]
pub struct Mutant {
    pub place: String,
    pub function: String,
    pub change: String,
}

/// Numbers given out so far, over all files; numbers in `left_out` do not compile and are not written.
#[derive(Default)]
pub struct Catalogue {
    pub mutants: Vec<Mutant>,
    pub left_out: BTreeSet<usize>,
    pub bounds: BTreeMap<String, Vec<(usize, TokenStream)>>,
}

/// The text of a file with its mutants.
pub fn rewrite(path: &str, text: &str, catalogue: &mut Catalogue) -> String {
    let mut file = syn::parse_file(text).unwrap_or_else(|e| panic!("{path}: {e}"));
    let mut writer = Writer { path, function: String::new(), catalogue };
    writer.visit_file_mut(&mut file);
    prettyplease::unparse(&file)
}

struct Writer<'a> {
    path: &'a str,
    function: String,
    catalogue: &'a mut Catalogue,
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        let text = a.to_token_stream().to_string().replace(' ', "");
        text == "#[cfg(test)]" || text == "#[test]"
    })
}

/// Rooms where functions are put into each other many times over: with all mutants in them that would never end.
fn is_formula(path: &str) -> bool {
    !path.starts_with("src/kernels/")
}

/// `if on(1) { first } else if on(2) { second } else { original }`.
fn chain(choices: &[(usize, TokenStream)], original: TokenStream) -> TokenStream {
    choices.iter().rev().fold(original, |rest, (id, other)| {
        let id = *id as u32;
        quote! { if crate::mutant_switch::on(#id) { #other } else { #rest } }
    })
}

impl Writer<'_> {
    fn number(&mut self, at: proc_macro2::Span, change: String) -> usize {
        let start = at.start();
        self.catalogue.mutants.push(Mutant {
            place: format!("{}:{}:{}", self.path, start.line, start.column + 1),
            function: self.function.clone(),
            change,
        });
        self.catalogue.mutants.len() - 1
    }

    /// Numbers for these changes, without those that do not compile.
    fn choices(&mut self, at: proc_macro2::Span, changes: Vec<(String, TokenStream)>) -> Vec<(usize, TokenStream)> {
        let mut out = Vec::new();
        for (change, tokens) in changes {
            let id = self.number(at, change);
            if !self.catalogue.left_out.contains(&id) {
                out.push((id, tokens));
            }
        }
        out
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> Option<Expr> {
        let (left, op, right) = (&e.left, &e.op, &e.right);
        // A chain that binds names can be nothing but that.
        let binds = |e: &Expr| e.to_token_stream().into_iter().any(|token| token.to_string() == "let");
        if matches!(op, BinOp::And(_)) && (binds(left) || binds(right)) {
            return None;
        }
        let others = replacements(op);
        let name = op.to_token_stream().to_string();
        let changes = |form: &dyn Fn(BinOp) -> TokenStream| {
            let others = others.iter().map(|o| (format!("{name} to {}", o.to_token_stream()), form(*o)));
            others.collect::<Vec<_>>()
        };
        let (changes, original) = match op {
            BinOp::And(_) | BinOp::Or(_) => (changes(&|o| quote! { l #o (#right) }), quote! { l #op (#right) }),
            _ if name.ends_with('=') && !matches!(op, BinOp::Le(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_)) => {
                (changes(&|o| quote! { #left #o #right; }), quote! { #left #op #right; })
            }
            _ => (changes(&|o| quote! { l #o r }), quote! { l #op r }),
        };
        let choices = self.choices(op.span(), changes);
        if choices.is_empty() {
            return None;
        }
        let body = chain(&choices, original);
        Some(match op {
            BinOp::And(_) | BinOp::Or(_) => parse_quote! { ({ let l: bool = #left; #body }) },
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_) => {
                parse_quote! { (match (&(#left), &(#right)) { (l, r) => #body }) }
            }
            _ if name.ends_with('=') => parse_quote! { { #body } },
            _ => parse_quote! { (match (#left, #right) { (l, r) => #body }) },
        })
    }

    fn method(&mut self, e: &syn::ExprMethodCall) -> Option<Expr> {
        let other: &[&str] = match e.method.to_string().as_str() {
            "le" | "is_le" => &["lt"],
            "lt" | "is_lt" => &["le"],
            "ge" | "is_ge" => &["gt"],
            "gt" | "is_gt" => &["ge"],
            "is_eq" => &["is_ne"],
            "abs" => &[""],
            _ => return None,
        };
        let (receiver, arguments, name) = (&e.receiver, &e.args, e.method.to_string());
        let changes = other.iter().map(|o| {
            if o.is_empty() {
                return (format!("delete .{name}()"), quote! { #receiver });
            }
            let o = if name.starts_with("is_") && !o.starts_with("is_") { format!("is_{o}") } else { (*o).to_owned() };
            let method = syn::Ident::new(&o, e.method.span());
            (format!(".{name}() to .{o}()"), quote! { (#receiver).#method(#arguments) })
        });
        let changes = changes.collect();
        let choices = self.choices(e.method.span(), changes);
        let body = chain(&choices, e.to_token_stream());
        (!choices.is_empty()).then(|| parse_quote! { (#body) })
    }

    fn literal(&mut self, lit: &syn::LitFloat) -> Option<Expr> {
        if lit.base10_parse::<f64>().ok()? == 0.0 {
            return None;
        }
        let changes =
            vec![(format!("{lit} halved"), quote! { #lit * 0.5 }), (format!("{lit} doubled"), quote! { #lit * 2.0 })];
        let choices = self.choices(lit.span(), changes);
        let body = chain(&choices, lit.to_token_stream());
        (!choices.is_empty()).then(|| parse_quote! { (#body) })
    }

    /// A use of a bound.
    fn bound(&mut self, path: &syn::ExprPath) -> Option<Expr> {
        let name = path.path.segments.last()?.ident.to_string();
        if !BOUNDS.contains(&name.as_str()) {
            return None;
        }
        // Constants of one name in different files are different bounds.
        let key = match name.as_str() {
            "SURE" | "TINY" | "SUM_BOUND" | "U" | "MOST" | "DOT_BOUND" | "NEAR" if self.path.contains("kernels") => {
                format!("kernels {name}")
            }
            _ => format!("{} {name}", self.path),
        };
        // What follows the name: another file may call the same bound by another path.
        if !self.catalogue.bounds.contains_key(&key) {
            let changes = if name == "LOW_BITS" {
                vec![("LOW_BITS >> 1".to_owned(), quote! { >> 1 }), ("LOW_BITS to 0".to_owned(), quote! { & 0 })]
            } else {
                let factor = |what: &str, by: TokenStream| (format!("{key} {what}"), quote! { * #by });
                vec![
                    factor("halved", quote! { 0.5 }),
                    factor("by 1/16", quote! { 0.0625 }),
                    factor("to zero", quote! { 0.0 }),
                    factor("doubled", quote! { 2.0 }),
                ]
            };
            let choices = self.choices(path.span(), changes);
            self.catalogue.bounds.insert(key.clone(), choices);
        }
        let choices: Vec<_> =
            self.catalogue.bounds[&key].iter().map(|(id, change)| (*id, quote! { #path #change })).collect();
        let body = chain(&choices, path.to_token_stream());
        (!choices.is_empty()).then(|| parse_quote! { (#body) })
    }

    /// Arms before a wildcard, each left out; guards, always and never.
    fn arms(&mut self, e: &mut syn::ExprMatch) {
        let catch_all = |arm: &syn::Arm| arm.guard.is_none() && matches!(arm.pat, syn::Pat::Wild(_));
        let has_rest = e.arms.iter().any(catch_all);
        for arm in &mut e.arms {
            let mut guard = arm.guard.as_ref().map(|g| g.1.to_token_stream());
            if let Some(g) = guard.clone() {
                let changes =
                    vec![("guard to false".into(), quote! { false }), ("guard to true".into(), quote! { true })];
                let choices = self.choices(arm.pat.span(), changes);
                guard = Some(chain(&choices, g));
            }
            if has_rest && !catch_all(arm) {
                let pat = arm.pat.to_token_stream();
                let deleted = self.choices(arm.pat.span(), vec![(format!("delete arm {pat}"), quote! { false })]);
                let rest = guard.clone().unwrap_or_else(|| quote! { true });
                if !deleted.is_empty() {
                    guard = Some(chain(&deleted, rest));
                }
            }
            arm.guard = guard.map(|g| (Default::default(), parse_quote! { (#g) }));
        }
    }

    fn fields(&mut self, e: &mut syn::ExprStruct) {
        let Some(rest) = e.rest.clone() else { return };
        let is_default = rest.to_token_stream().to_string().replace(' ', "") == "Default::default()";
        for field in &mut e.fields {
            let (member, value) = (&field.member, &field.expr);
            let name = member.to_token_stream().to_string();
            // Whose default that is, a compiler would not know from one of its fields.
            let other = if is_default { quote! { #rest } } else { quote! { (#rest).#member } };
            let changes = vec![(format!("delete field {name}"), other)];
            let choices = self.choices(field.member.span(), changes);
            let body = chain(&choices, value.to_token_stream());
            if !choices.is_empty() {
                field.expr = parse_quote! { (#body) };
                field.colon_token = Some(Default::default());
            }
        }
    }

    fn function(&mut self, signature: &mut syn::Signature, block: &mut syn::Block) {
        let outer = std::mem::replace(&mut self.function, signature.ident.to_string());
        let first = self.catalogue.mutants.len();
        let changes = values(&signature.output).into_iter().map(|value| {
            let text = value.to_string().replace(' ', "");
            (format!("return {text}"), quote! { #value })
        });
        let changes = changes.collect();
        let whole = self.choices(signature.ident.span(), changes);
        visit_mut::visit_block_mut(self, block);
        for (id, value) in whole.iter().rev() {
            let id = *id as u32;
            let stmt: Stmt = parse_quote! { if crate::mutant_switch::on(#id) { return #value; } };
            block.stmts.insert(0, stmt);
        }
        if (first..self.catalogue.mutants.len()).any(|id| !self.catalogue.left_out.contains(&id)) {
            // What asks for a number at run time cannot be const.
            signature.constness = None;
        }
        self.function = outer;
    }
}

/// What a function might return instead.
fn values(output: &ReturnType) -> Vec<TokenStream> {
    let ReturnType::Type(_, ty) = output else { return vec![quote! { () }] };
    let text = ty.to_token_stream().to_string().replace(' ', "");
    match text.as_str() {
        "bool" => vec![quote! { true }, quote! { false }],
        "f32" | "f64" => vec![quote! { 0.0 }, quote! { 1.0 }, quote! { -1.0 }],
        "u32" | "usize" | "u64" | "i32" | "i64" => vec![quote! { 0 }, quote! { 1 }],
        "Ordering" => ["Less", "Equal", "Greater"]
            .map(|o| syn::Ident::new(o, proc_macro2::Span::call_site()))
            .map(|o| quote! { std::cmp::Ordering::#o })
            .to_vec(),
        "&'staticstr" => vec![quote! { "" }],
        _ if text.starts_with("Option<Ordering>") => {
            vec![
                quote! { None },
                quote! { Some(std::cmp::Ordering::Less) },
                quote! { Some(std::cmp::Ordering::Greater) },
            ]
        }
        _ if text.starts_with("Option<") => vec![quote! { None }],
        "L" => vec![quote! { L::splat(0.0) }, quote! { L::splat(1.0) }],
        "D" => vec![quote! { D::splat(0.0) }, quote! { D::splat(1.0) }],
        "N" => vec![quote! { N::from(0.0) }, quote! { N::from(1.0) }, quote! { N::from(-1.0) }],
        _ if matches!(**ty, Type::ImplTrait(_)) => vec![],
        _ => vec![quote! { Default::default() }],
    }
}

fn replacements(op: &BinOp) -> Vec<BinOp> {
    macro_rules! ops {
        ($($t:tt),*) => { vec![$(parse_quote! { $t }),*] };
    }
    match op {
        BinOp::Add(_) => ops![-, *],
        BinOp::Sub(_) => ops![+, /],
        BinOp::Mul(_) => ops![+, /],
        BinOp::Div(_) => ops![*, %],
        BinOp::Rem(_) => ops![/, +],
        BinOp::And(_) => ops![||],
        BinOp::Or(_) => ops![&&],
        BinOp::BitXor(_) => ops![|, &],
        BinOp::BitAnd(_) => ops![|, ^],
        BinOp::BitOr(_) => ops![&, ^],
        BinOp::Shl(_) => ops![>>],
        BinOp::Shr(_) => ops![<<],
        BinOp::Eq(_) => ops![!=],
        BinOp::Ne(_) => ops![==],
        BinOp::Lt(_) => ops![<=, ==, >],
        BinOp::Le(_) => ops![<, ==, >],
        BinOp::Gt(_) => ops![>=, ==, <],
        BinOp::Ge(_) => ops![>, ==, <],
        BinOp::AddAssign(_) => ops![-=, *=],
        BinOp::SubAssign(_) => ops![+=, /=],
        BinOp::MulAssign(_) => ops![+=, /=],
        BinOp::BitOrAssign(_) => ops![&=, ^=],
        BinOp::BitAndAssign(_) => ops![|=, ^=],
        _ => vec![],
    }
}

impl VisitMut for Writer<'_> {
    fn visit_item_mod_mut(&mut self, item: &mut syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit_mut::visit_item_mod_mut(self, item);
        }
    }
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        if !is_test(&item.attrs) {
            self.function(&mut item.sig, &mut item.block);
            item.attrs.retain(|a| !(is_formula(self.path) && a.path().is_ident("inline")));
        }
    }
    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        let is_debug = item.trait_.as_ref().is_some_and(|t| t.1.segments.last().is_some_and(|s| s.ident == "Debug"));
        if !is_debug {
            visit_mut::visit_item_impl_mut(self, item);
        }
    }
    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            self.function(&mut item.sig, &mut item.block);
            item.attrs.retain(|a| !(is_formula(self.path) && a.path().is_ident("inline")));
        }
    }
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_item_trait_mut(&mut self, _: &mut syn::ItemTrait) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Repeat(repeat) => return self.visit_expr_mut(&mut repeat.expr),
            Expr::Const(_) => return,
            _ => visit_mut::visit_expr_mut(self, e),
        }
        let changed = match e {
            Expr::Binary(binary) => self.binary(binary),
            Expr::MethodCall(call) => self.method(call),
            Expr::Lit(syn::ExprLit { lit: Lit::Float(lit), .. }) => self.literal(lit),
            Expr::Path(path) => self.bound(path),
            Expr::Unary(syn::ExprUnary { op: op @ (UnOp::Neg(_) | UnOp::Not(_)), expr, .. }) => {
                let name = op.to_token_stream().to_string();
                let choices = self.choices(op.span(), vec![(format!("delete {name}"), quote! { v })]);
                let body = chain(&choices, quote! { #op v });
                (!choices.is_empty()).then(|| parse_quote! { (match #expr { v => #body }) })
            }
            Expr::Match(e) => {
                self.arms(e);
                None
            }
            Expr::Struct(e) => {
                self.fields(e);
                None
            }
            _ => None,
        };
        if let Some(changed) = changed {
            *e = changed;
        }
    }
}
