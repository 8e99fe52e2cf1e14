const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
const seen=new Map();const intern=s=>{const k=seen.get(s);if(k!==undefined)return k;seen.set(s,s);return s};
class Product{constructor(i){this.town=intern(JSON.parse('"city of '+(i%50)+' in the country"'));this.n=i}}
class Shop{constructor(){this.goods=[]}}
out.shop=new Shop();for(let i=0;i<N;i++)out.shop.goods.push(new Product(i));
