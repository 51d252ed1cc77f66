mod readers; mod scenes;
enum Failure{Input(String),Machine(String)}
impl From<readers::Fault> for Failure { fn from(f: readers::Fault)->Failure{Failure::Input(f.to_string())}}
impl std::fmt::Debug for Failure { fn fmt(&self, f:&mut std::fmt::Formatter<'_>)->std::fmt::Result{match self{Failure::Input(a)|Failure::Machine(a)=>f.write_str(a)}}}
fn main(){}
